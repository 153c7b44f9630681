# SPDX-License-Identifier: MIT
"""Is memory flat over many steps? Prints resident MiB as steps are made, and fails where the second
half of them has added more than a MiB:

    PYTHONPATH=build/release/python /usr/bin/python3 tests/bench/environment_memory.py [GAME]
        [--steps 1000000000] [--slots 8192]

Half of the steps are random ones inside, half are given by the caller, with observations and masks
written each time.
"""
import argparse
import sys

import ludens


def resident_mib():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--steps", type=int, default=10**9)
    parser.add_argument("--slots", type=int, default=8192)
    options = parser.parse_args()
    env = ludens.VecEnv(ludens.Game(options.game), options.slots, seed=1, observation="bits",
                        mask="bits", autoreset="next_step")
    env.reset(1)
    actions, seen = env.sample(), []
    for tenth in range(1, 11):
        while env.total_steps < options.steps * tenth // 10:
            for _ in range(64):
                env.step(env.sample(out=actions))
            env.roll(64)
        seen.append(resident_mib())
        print(f"{env.total_steps:>14,} steps: {seen[-1]:.1f} MiB", flush=True)
    grown = seen[-1] - seen[4]
    print(f"the second half has added {grown:.2f} MiB")
    return grown > 1


if __name__ == "__main__":
    sys.exit(main())
