#!/bin/sh
# Usage: configure.sh SOURCE. What CMake says, in one line, on machines that lack what the course takes, or have it
# otherwise: nvidia-smi and nvcc are made up here.
set -eu
export LC_ALL=C
cd "$1"
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
unset CUDACXX CUDAARCHS CUDAHOSTCXX CUDAFLAGS

complain() {
    echo "$*"
    cat "$work/said"
    failed=1
}

# Fails unless CMake ends with this code and says this, once, when it configures with these arguments.
expect() { # CODE TEXT ARGUMENT...
    rm -rf "$work/build"
    expect_again "$@"
}

# The same in the folder of the call before.
expect_again() { # CODE TEXT ARGUMENT...
    code=$1 text=$2
    shift 2
    found=0
    cmake -S "$configured" -B "$work/build" "$@" >"$work/said" 2>&1 || found=$?
    [ $found = "$code" ] && [ "$(tr -s ' \n' '  ' <"$work/said" | grep -oF -- "$text" | wc -l)" -eq 1 ] ||
        complain "cmake $*: expected code $code and \"$text\", got code $found and"
}

# ---- A GPU, or something like it ----
# Of the project only what decides for CUDA.
configured=$work/backend
mkdir "$configured"
cat >"$configured/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(backend NONE)
set(LBM_BACKEND auto CACHE STRING "")
include("$source/cmake/backend.cmake")
message(STATUS "Compiled for: \${CMAKE_CUDA_ARCHITECTURES}")
END

# What an nvcc would answer; what it would not goes to the real one, if that is there.
real=$(command -v nvcc || :)
mkdir "$work/smi" "$work/none" "$work/nvcc" "$work/old"
printf '#!/bin/sh\necho "GPU 0: NVIDIA GeForce RTX 4090"\n' >"$work/smi/nvidia-smi"
cat >"$work/nvcc/nvcc" <<END
#!/bin/sh
case " \$* " in
*' --version '*) echo "Cuda compilation tools, release \$VERSION, V\$VERSION.88" ;;
*' --list-gpu-arch '*) printf 'compute_%s\n' 50 75 80 86 89 90 ;;
*\$NEEDED*' -run '*) [ -z "\$REASON" ] || { echo "\$REASON" >&2; exit 1; }; printf %s "\$CAPABILITIES" ;;
*' -run '*) echo 'error: unsupported GNU version!' >&2; exit 1 ;;
*) exec $real "\$@" ;;
esac
END
sed 's/\$VERSION/11.5/g' "$work/nvcc/nvcc" >"$work/old/nvcc"
printf '#!/bin/sh\nexit 9\n' >"$work/none/nvidia-smi"
chmod +x "$work"/*/nvidia-smi "$work/nvcc/nvcc" "$work/old/nvcc"
export VERSION=12.6 REASON='' CAPABILITIES=89 NEEDED=''
with=$work/smi:$work/nvcc:$PATH

for version in 11.5 12.6; do
    PATH=$work/none:$work/nvcc:/usr/bin:/bin VERSION=$version expect 0 'nvcc is there, but "nvidia-smi -L" finds no GPU (9)'
done
if [ -e /usr/bin/nvcc ]; then
    echo 'not tried without nvcc: it is in /usr/bin'
else
    where='there: install CUDA 12.3 or later'
    [ ! -e /usr/local/cuda/bin/nvcc ] || where='in PATH: call "export PATH=/usr/local/cuda/bin:$PATH"'
    hide=-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
    PATH=$work/none:/usr/bin:/bin expect 0 'Backend: cpu' $hide
    ! grep -q 'nvidia-smi' "$work/said" || complain 'a GPU is spoken of where there is none'
    PATH=$work/smi:/usr/bin:/bin expect 0 "but nvcc is not $where and configure again." $hide
    PATH=/usr/bin:/bin expect 1 "but nvcc is not $where and configure again;" $hide -DLBM_BACKEND=cuda
fi
for reason in 'no CUDA-capable device is detected' 'CUDA driver version is insufficient for CUDA runtime version'; do
    PATH=$with REASON=$reason expect 0 "nvidia-smi lists a GPU, but CUDA cannot use it: $reason."
    grep -qx -- '-- Backend: cpu' "$work/said" || complain 'it is not built for the CPU'
done
for version in 11.8 12.2; do
    old="$work/nvcc/nvcc is CUDA \"$version\": the course takes 12.3 or later"
    PATH=$with VERSION=$version expect 0 "nvidia-smi lists a GPU, but $old."
    PATH=$with VERSION=$version expect 1 "LBM_BACKEND is \"cuda\", but $old;" -DLBM_BACKEND=cuda
done
for capability in 6.1 12.0; do
    PATH=$with CAPABILITIES=$(echo $capability | tr -d .) expect 0 \
        "its compute capability is $capability, and nvcc that of CUDA 12.6: the course takes 7.5 or more"
done
# A newer nvcc, put into PATH later; but what the user named stays.
old="$work/old/nvcc is CUDA \"11.5\""
refused='its compute capability is 6.1, and nvcc that of CUDA 12.6'
export CAPABILITIES=61
PATH=$work/smi:$work/old:$PATH expect 0 "$old"
PATH=$with expect_again 0 "$refused"
PATH=$with expect 0 "$old" "-DCMAKE_CUDA_COMPILER=$work/old/nvcc"
PATH=$with expect_again 0 "$old"
# What is to compile for the host, and other flags.
PATH=$with NEEDED=-ccbin expect 0 'CUDA cannot use it: error: unsupported GNU version!'
PATH=$with NEEDED='-ccbin g++-12' CUDAHOSTCXX=g++-12 expect 0 "$refused"
PATH=$with NEEDED='-ccbin g++-12' expect 0 "$refused" -DCMAKE_CUDA_HOST_COMPILER=g++-12
PATH=$with NEEDED='-Xcompiler -m64' expect 0 "$refused" '-DCMAKE_CUDA_FLAGS=-Xcompiler -m64'
PATH=$with NEEDED='-Xcompiler -m64' CUDAFLAGS='-Xcompiler -m64' expect 0 "$refused"
if [ -n "$real" ]; then
    PATH=$with CAPABILITIES='61;89;89' expect 0 'Backend: cuda -- Compiled for: 89'
    PATH=$with CAPABILITIES=89 CUDAHOSTCXX=$(command -v g++) NEEDED=-ccbin expect 0 'Backend: cuda'
    PATH=$with CAPABILITIES=89 NEEDED=-ccbin expect_again 0 'Backend: cuda'
fi

# ---- AMD's GPUs ----
expect 1 'LBM_BACKEND is "rocm"; it takes auto, cuda, hip or cpu' -DLBM_BACKEND=rocm
if PATH=$PATH:$(printenv ROCM_PATH)/bin:/opt/rocm/bin command -v hipcc >"$work/said"; then
    for wrong in '' gfx999 'gfx90a;gfx999'; do
        expect 1 "CMAKE_HIP_ARCHITECTURES is \"$wrong\"; with -DLBM_BACKEND=hip it takes" -DLBM_BACKEND=hip \
            "-DCMAKE_HIP_ARCHITECTURES=$wrong"
    done
    expect 0 'HIP: an experiment that we have run on no GPU' -DLBM_BACKEND=hip -DCMAKE_HIP_ARCHITECTURES=gfx90a
else
    expect 1 'LBM_BACKEND is "hip", but hipcc is not there' -DLBM_BACKEND=hip
fi

# ---- Other C libraries and builds ----
configured=$source
expect 1 'lacks getcontext, which the emulator needs (common/gpu/fibres.c): musl does, glibc has it' -Dhas_getcontext=
expect 0 'Backend: cpu' -DLBM_BACKEND=cpu -DCMAKE_UNITY_BUILD=ON -DBUILD_TESTING=OFF \
    '-DCMAKE_C_FLAGS=-Wall -Wextra -Werror -pedantic-errors'
[ -z "$(find "$work/build" -name '*unity*')" ] || complain 'files are compiled together: CMAKE_UNITY_BUILD'

# ---- In the folder of the sources ----
# It is refused, and what CMake leaves there goes as it says.
mkdir "$work/tree"
cp CMakeLists.txt "$work/tree"
cd "$work/tree"
! cmake . >"$work/said" 2>&1 || complain 'a build among the sources is not refused'
clean=$(tr -s ' \n' '  ' <"$work/said" | sed -n 's/.*a folder of its own: \(rm -r [^;]*\); cmake -B build.*/\1/p')
sh -c "${clean:-false}" || complain 'how to clean up does not work'
[ "$(ls -A)" = CMakeLists.txt ] || complain "what is left: $(ls -A)"
exit $failed
