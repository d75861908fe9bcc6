#!/bin/sh
# sbatch labs/ranks/cluster.sh, from the top of the repository, on a cluster with Slurm: builds, runs the tests of stages
# on ranks, and measures them on 1, 2, 4, ... GPUs up to all that it got, one rank a GPU. What depends on the cluster
# stands here, above the empty line, and nowhere else.
#SBATCH --nodes=2 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=8 --time=00:30:00
modules='' # to be loaded: 'cuda openmpi cmake', or what they are called there
launch='srun --mpi=pmix --ntasks' # starts so many ranks; some clusters want 'mpirun -n'
ranks=${SLURM_NTASKS:-2}
size=8192 # cells along x and y for one GPU
build=build/cluster

set -eu
export LC_ALL=C
for module in $modules; do
    module load "$module"
done
cmake -B "$build" -DBUILD_TESTING=ON
cmake --build "$build" -j --target lbm test_ranks
# shellcheck disable=SC2086
$launch "$ranks" "$build/test_ranks"
n=1
while [ "$n" -le "$ranks" ]; do
    for scaling in strong weak; do # a grid for all, and one for each
        # shellcheck disable=SC2046,SC2086
        $launch "$n" "$build/lbm" bench 20_ranks 21_overlap 22_deep_halo --sizes "$size" \
            --csv "$build/bench_${n}_ranks_$scaling.csv" $([ $scaling = strong ] || echo --weak)
    done
    n=$((2 * n))
done
