# expects: the host reads or writes device memory: byte 0 of an array of 8192 bytes.*NOT DONE: see TODO\(3\)
/^double total/,/^}/{
s/n < blocks/n < count/
s/on_host\[n\]/numbers[n]/
}
