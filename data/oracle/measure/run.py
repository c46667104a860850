"""Measure the crates on the suite's document and write data/measured.

Python 3.11 or newer, nothing but the standard library. `make measure` runs this; README.md in
data/measured describes the files.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent.parent / "measured"

# A generous limit to what is inlined: several times the compiler's own.
INLINED = "-Cllvm-args=-inline-threshold=2000"
# The same code at other addresses: functions begin at multiples of 64 bytes, and blocks that are
# only jumped to at multiples of 32. What this alone changes is not the crates' doing.
MOVED = "-Cllvm-args=-align-all-functions=6 -align-all-nofallthru-blocks=5"

RELEASE = "opt-level=3, lto=false (thin-local), codegen-units=16"
FAT = "opt-level=3, lto=fat, codegen-units=1"


@dataclass(frozen=True)
class Build:
    """A way to build the programs: a profile of Cargo.toml, and flags beyond it."""

    profile: str
    words: str
    flags: str = ""
    folder: str = ""

    @property
    def target(self):
        return HERE / "target" / self.folder

    def program(self, name):
        return self.target / self.profile / name

    def make(self):
        command = ["cargo", "build", "--locked", "--quiet", "--profile", self.profile]
        if self.flags:
            command += ["--config", f"build.rustflags={json.dumps([self.flags])}"]
        run([*command, "--target-dir", self.target])


PROFILES = {
    "release": Build("release", RELEASE),
    "fat": Build("fat", FAT),
    "release-inlined": Build("release", f"{RELEASE}, {INLINED}", INLINED, "inlined"),
    "fat-inlined": Build("fat", f"{FAT}, {INLINED}", INLINED, "inlined"),
}
# Built once more with the code elsewhere, for the noise.
MOVED_PROFILES = {name: Build(name, "", MOVED, "moved") for name in ("release", "fat")}
PROGRAMS = ("clock", "allocators")
PLACES_APART = 5  # each process has its data 80 bytes further on than the one before
LOW, HIGH = 4, 8  # calls under callgrind; the difference is what is counted

# Where instructions are spent: the first expression that is found in the function's name decides.
PLACES = {
    "allocator": r"malloc|calloc|realloc|(^|_)free|unlink_chunk|tcache|__rust_(de|re)?alloc|__rdl_",
    "memory": r"mem(cpy|move|set)",
    "utf8": r"from_utf8|run_utf8_validation",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=8, help="timing processes per profile")
    parser.add_argument("--rounds", type=int, default=12, help="rounds (two samples) per process")
    parser.add_argument(
        "--wait", type=float, default=600, help="seconds to wait for a quiet moment"
    )
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for the results")
    options = parser.parse_args()
    for tool, package in {
        "cargo": "Rust (rustup.rs)",
        "valgrind": "Debian's package valgrind",
    }.items():
        if shutil.which(tool) is None:
            sys.exit(f"Measuring needs {tool}, which is not installed: it comes with {package}.")
    os.environ.pop("RUSTFLAGS", None)  # it would win over the flags of the builds
    say("Building the programs in six ways (three minutes the first time)")
    for build in (*PROFILES.values(), *MOVED_PROFILES.values()):
        build.make()
    subjects, interventions = described()
    for profile in PROFILES:
        say(f"Counting allocations, writes and instructions ({profile})")
        count(subjects, profile)
    waited, busy = wait_until_quiet(options.wait)
    say(
        f"Timing, {options.processes} processes a profile (other programs use {busy:.0%} of a core)"
    )
    loads = [os.getloadavg()]
    time_all(subjects, options.processes, options.rounds)
    loads.append(os.getloadavg())
    about = environment() | {
        "processes": options.processes,
        "samples": 2 * options.rounds * options.processes,
        "waited_seconds": round(waited),
        "other_programs": {
            "before": round(busy, 2),
            "after": round(busy_cores(), 2),
            "unit": "processor cores in use by anything else, over 5 seconds",
        },
        "load_average": {"before": loads[0], "after": loads[1], "of": "1, 5 and 15 minutes"},
    }
    write(options.output, about, subjects, interventions)
    say(f"Done: {options.output}")


def say(text):
    print(f"==> {text}", flush=True)


def run(command, **more):
    """What a command prints; its errors are the user's to see."""
    done = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed.\n{done.stdout}")
    return done.stdout


def lines(build, name, *arguments):
    output = run([build.program(name), *map(str, arguments)])
    return [json.loads(line) for line in output.splitlines()]


def described():
    """The subjects by id, in order, and the interventions."""
    subjects, interventions = {}, []
    for name in PROGRAMS:
        for about in lines(PROFILES["release"], name, "list"):
            subjects[about["id"]] = about | {
                "program": name,
                "profiles": {profile: {} for profile in PROFILES},
            }
        interventions += lines(PROFILES["release"], name, "interventions")
    return subjects, interventions


# ---- Counts


def count(subjects, profile):
    for line in lines(PROFILES[profile], "counts"):
        subject = subjects[line.pop("id")]
        subject["profiles"][profile]["counts"] = {
            name: exact(number) for name, number in line.items() if number is not None
        }
    for name in PROGRAMS:
        ids = [subject["id"] for subject in subjects.values() if subject["program"] == name]
        for id, found in zip(ids, callgrind(profile, name, ids, subjects), strict=True):
            subjects[id]["profiles"][profile].setdefault("counts", {}).update(found)


def callgrind(profile, name, ids, subjects):
    """Instructions, executed conditional branches and calls per call of each subject."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts"
        run(
            [
                "valgrind",
                "--quiet",
                "--tool=callgrind",
                "--branch-sim=yes",
                "--compress-strings=no",
                "--compress-pos=no",
                "--dump-line=no",
                "--combine-dumps=yes",
                "--dump-before=measure_mark",
                f"--callgrind-out-file={path}",
                PROFILES[profile].program(name),
                "repeat",
                str(LOW),
                str(HIGH),
            ],
            stderr=subprocess.DEVNULL,
        )
        parts = [part(text) for text in path.read_text().split("\npart: ")[1:]]
    # Three marks for each subject: after its warm-up, LOW and HIGH calls. The first comes twice.
    for number, id in enumerate(ids):
        low, high = parts[3 * number + 4 : 3 * number + 6]
        calls = (HIGH - LOW) * subjects[id]["inputs"]
        per_call = {place: (high[place] - low[place]) / calls for place in {**low, **high}}
        yield {
            "instructions": exact(per_call.pop("instructions")),
            "conditional_branches": exact(per_call.pop("branches")),
            "calls": exact(per_call.pop("calls")),
            "instructions_in": {
                place: exact(per_call.get(place, 0)) for place in (*PLACES, "rest")
            },
        }


def exact(number):
    """A count per call: whole, unless the calls differ (other documents in turn)."""
    return int(number) if number == int(number) else round(number, 2)


def part(text):
    """One dump of callgrind: its totals, the calls made, and instructions by place."""
    found = Counter()
    place, after_call = "rest", False
    for line in text.splitlines()[1:]:  # the first holds the number of the part
        if line.startswith("fn="):
            place = place_of(line[3:])
        elif line.startswith("calls="):
            found["calls"] += int(line[6:].split()[0])
            after_call = True
        elif line.startswith("totals:"):
            events = [*map(int, line.split()[1:]), 0]
            found["instructions"], found["branches"] = events[:2]
        elif line[:1].isdigit() and "=" not in line:
            if not after_call:
                found[place] += int(line.split()[1])
            after_call = False
    return found


def place_of(function):
    for place, expression in PLACES.items():
        if re.search(expression, function):
            return place
    return "rest"


# ---- Times


def time_all(subjects, processes, rounds):
    """Every process times every subject; builds take turns: A B C D, D C B A, A B C D, ..."""
    order = [("samples", *one) for one in PROFILES.items()]
    order += [("moved", *one) for one in MOVED_PROFILES.items()]
    for number in range(processes):
        for kept, profile, build in order:
            for name in PROGRAMS:
                for line in lines(build, name, "time", rounds, PLACES_APART * number):
                    into = subjects[line["id"]]["profiles"][profile].setdefault(kept, [])
                    into.append([round(ns, 1 if ns >= 10 else 2) for ns in line["ns"]])
        order.reverse()
        print(f"    {number + 1} of {processes}", flush=True)


def summary(samples):
    """Median and quartiles in nanoseconds, over all processes, and the median of each."""
    every = [ns for process in samples for ns in process]
    low, middle, high = statistics.quantiles(every, n=4, method="inclusive")
    return {
        "median": round(middle, 2),
        "q1": round(low, 2),
        "q3": round(high, 2),
        "process_medians": [round(statistics.median(process), 2) for process in samples],
    }


def noise(subjects, profile):
    """What copies of a subject differ by, as ratios to the original: nothing is seen below that."""
    pairs = []
    for subject in subjects.values():
        if subject["copy_of"]:
            copy = subject["profiles"][profile]["ns"]
            original = subjects[subject["copy_of"]]["profiles"][profile]["ns"]
            of_processes = zip(copy["process_medians"], original["process_medians"], strict=True)
            pairs.append(
                {
                    "of": subject["copy_of"],
                    "ratio": round(copy["median"] / original["median"], 4),
                    "process_ratios": [round(one / other, 4) for one, other in of_processes],
                }
            )
    found = {
        "bar": round(max(abs(pair["ratio"] - 1) for pair in pairs), 4),
        "bar_of_one_process": round(
            max(abs(ratio - 1) for pair in pairs for ratio in pair["process_ratios"]), 4
        ),
        "pairs": pairs,
    }
    for direction in ("encode", "decode"):
        ratios = [pair["ratio"] for pair in pairs if pair["of"].startswith(direction)]
        found[f"bar_of_{direction}"] = round(max(abs(ratio - 1) for ratio in ratios), 4)
    return found | ({"moved": moved(subjects, profile)} if profile in MOVED_PROFILES else {})


def moved(subjects, profile):
    """What moving the code changes, over all subjects: ratios to the plain build."""
    found = [subject["profiles"][profile] for subject in subjects.values()]
    ratios = sorted(abs(one["moved_ns"] / one["ns"]["median"] - 1) for one in found)
    return {
        "flags": MOVED,
        "median": round(statistics.median(ratios), 4),
        "ninth_decile": round(statistics.quantiles(ratios, n=10, method="inclusive")[8], 4),
        "largest": round(ratios[-1], 4),
    }


def effect(intervention, subjects):
    """What an intervention changes: after minus before, in nanoseconds and in counts."""
    found = {}
    for profile in PROFILES:
        before, after = (
            subjects[intervention[side]]["profiles"][profile] for side in ("before", "after")
        )
        medians = zip(after["ns"]["process_medians"], before["ns"]["process_medians"], strict=True)
        found[profile] = {
            "ns": round(after["ns"]["median"] - before["ns"]["median"], 2),
            "process_ns": [round(one - other, 2) for one, other in medians],
            "instructions": exact(
                after["counts"]["instructions"] - before["counts"]["instructions"]
            ),
        }
        if profile in MOVED_PROFILES:
            found[profile]["moved_ns"] = round(after["moved_ns"] - before["moved_ns"], 2)
    return intervention | {"profiles": found}


# ---- Where and when


def busy_cores(seconds=5.0):
    """How many cores all programs use; this one sleeps meanwhile."""

    def read():
        fields = [
            int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]
        ]
        return sum(fields) - fields[3] - fields[4]  # all but idle and waiting

    start = read()
    time.sleep(seconds)
    return (read() - start) / os.sysconf("SC_CLK_TCK") / seconds


def wait_until_quiet(seconds):
    """Waits, no longer than that, until other programs use less than a tenth of a core."""
    start = time.monotonic()
    say(f"Waiting for a quiet moment (at most {seconds:.0f} seconds)")
    while (busy := busy_cores()) >= 0.1 and time.monotonic() - start < seconds:
        time.sleep(5)
    return time.monotonic() - start, busy


def environment():
    cpu = dict(
        re.findall(
            r"^(model name|cpu family|model|stepping)\s*: (.*)$", read("/proc/cpuinfo"), re.M
        )
    )
    locked = re.findall(r'name = "(.*)"\nversion = "(.*)"\nsource', read(HERE / "Cargo.lock"))
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "rustc": run(["rustc", "--version"]).strip(),
        "llvm": re.search(r"LLVM version: (.*)", run(["rustc", "-vV"]))[1],
        "profiles": {name: build.words for name, build in PROFILES.items()},
        "cpu": {
            "model": cpu["model name"],
            "family": int(cpu["cpu family"]),
            "model_number": int(cpu["model"]),
            "stepping": int(cpu["stepping"]),
            "cores": os.cpu_count(),
        },
        "machine": platform.machine(),
        "kernel": platform.release(),
        "libc": " ".join(platform.libc_ver()),
        "valgrind": run(["valgrind", "--version"]).strip(),
        "crates": {name: version for name, version in locked if name in crates()},
    }


def crates():
    """The crates that Cargo.toml names."""
    return re.findall(r"^([a-z_0-9]+) = .*\"=", read(HERE / "Cargo.toml"), re.M)


def read(path):
    return Path(path).read_text()


# ---- Results


def write(folder, about, subjects, interventions):
    for subject in subjects.values():
        for found in subject["profiles"].values():
            found["ns"] = summary(found["samples"])
            if "moved" in found:
                found["moved_ns"] = summary(found.pop("moved"))["median"]
    about["noise"] = {profile: noise(subjects, profile) for profile in PROFILES}
    interventions = [effect(intervention, subjects) for intervention in interventions]
    files = defaultdict(list)
    for subject in subjects.values():
        files[file_of(subject)].append(subject)
    folder.mkdir(parents=True, exist_ok=True)
    for name, members in files.items():
        content = {"about": about, "subjects": members}
        if name == "interventions":
            content["interventions"] = interventions
        (folder / f"{name}.json").write_text(laid_out(content))


def file_of(subject):
    """The file for a subject: the calls of the source, larger documents, or what is changed."""
    changed = subject["direction"] == "decode" and subject["how"] != "plain"
    ours = subject["library"] in ("hand", "none") or subject["program"] == "allocators"
    if changed or ours or subject["how"] == "in-turn":
        return "interventions"
    return "document" if subject["payload"] == "suite" else "payloads"


def laid_out(content):
    """JSON with a line for each subject and each intervention."""
    parts = []
    for name, value in content.items():
        if isinstance(value, list):
            inner = ",\n".join(json.dumps(one, separators=(",", ":")) for one in value)
            parts.append(f'"{name}": [\n{inner}\n]')
        else:
            parts.append(f'"{name}": {json.dumps(value, indent=1)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main()
