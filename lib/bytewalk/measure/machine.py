"""Where and when something was measured."""

from __future__ import annotations

import os
import platform
from datetime import datetime
from pathlib import Path

import msgspec


class Environment(msgspec.Struct, frozen=True):
    """Where and when a comparison was made.

    cpu: its model, "unknown" where the system does not say. cores: logical ones, None if unknown.
    load: how many processes wanted a core, on average over the minute before; None where the system
    does not say. machine: what the caller calls it, else its CPU and system. date: ISO 8601.
    """

    python: str
    implementation: str
    system: str
    cpu: str
    cores: int | None
    load: float | None
    machine: str
    date: str

    def __str__(self) -> str:
        parts = [self.machine]
        if self.machine != _machine(self.cpu, self.system):
            parts.append(_machine(self.cpu, self.system))
        parts.append(f"{self.implementation} {self.python}")
        if self.load is not None:
            parts.append(f"load {self.load:.1f} on {self.cores} cores")
        return ", ".join(parts)


def _machine(cpu: str, system: str) -> str:
    return f"{cpu}, {system}"


def environment(machine: str | None = None, date: str | None = None) -> Environment:
    """Where we are now. machine: a name for it; date: ISO 8601, instead of the clock's."""
    cpu = cpu_model()
    system = f"{platform.system()} {platform.machine()}"
    return Environment(
        python=platform.python_version(),
        implementation=platform.python_implementation(),
        system=system,
        cpu=cpu,
        cores=os.cpu_count(),
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        machine=machine or _machine(cpu, system),
        date=date or datetime.now().astimezone().isoformat(timespec="seconds"),
    )


def cpu_model(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The model of the CPU: as Linux tells it, else as Python knows it, else "unknown"."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, model = line.partition(":")
        if name.strip() == "model name":
            return " ".join(model.split())
    return platform.processor() or "unknown"
