# From the rows of `ncu --csv`, one for each launch and metric, to one row for each kernel: means over its launches.
# Takes stage and size as variables.

# Splits a line of quoted fields.
function split_fields(line, field) {
    gsub(/^"|"\r?$/, "", line)
    return split(line, field, /","/)
}

# The bare name of a kernel: without arguments and scope.
function kernel_name(text) {
    sub(/\(.*/, "", text)
    sub(/.*[: ]/, "", text)
    return text
}

!/^"/ { next } # what ncu says beside its table

!columns {
    columns = split_fields($0, field)
    for (n = 1; n <= columns; n++)
        column[field[n]] = n
    next
}

{
    split_fields($0, field)
    kernel = kernel_name(field[column["Kernel Name"]])
    metric = field[column["Metric Name"]]
    value = field[column["Metric Value"]]
    gsub(/,/, "", value)
    if (!(kernel in seen)) {
        seen[kernel] = 1
        kernels[++kernel_count] = kernel
    }
    if (value ~ /^[0-9]/) { # not "n/a"
        sum[kernel, metric] += value
        count[kernel, metric]++
    }
}

END {
    metric_count = split(metrics, name, ",")
    for (k = 1; k <= kernel_count; k++) {
        row = stage "," size "," kernels[k]
        for (n = 1; n <= metric_count; n++) {
            launches = count[kernels[k], name[n]]
            row = row "," (launches ? sprintf("%.9g", sum[kernels[k], name[n]] / launches) : "")
        }
        print row
    }
    exit kernel_count == 0
}
