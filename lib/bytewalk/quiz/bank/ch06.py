"""Honest clocks: noise, order, faults, points, weights, units, claims. The figures of these
questions are made up, and say so, unless they are quoted."""

from __future__ import annotations

from statistics import mean, median

from bytewalk import measure
from bytewalk.integers import count
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Task, choose, number, sort
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import plain, reasoned

chapter = Chapter("06")
ask = chapter.ask


@ask("06-bar", "Inside or outside?", "06-bar", see=("chapter 06, *A against a copy of A*",))
def bar(draws: Draws) -> Task | None:
    noise, ratio = (4, 3) if draws.first else (draws.within(1, 6), draws.within(1, 12))
    if noise == ratio:
        return None
    seen = ratio > noise
    answers = {
        True: f"B takes {ratio} % longer, in this run",
        False: "no difference seen",
    }
    return choose(
        f"A run times A against a copy of itself, and its noise bar is {noise} %. In the same run "
        f"B takes 1.{ratio:02} times as long as A. What may you claim?",
        answers[seen],
        [
            (
                answers[not seen],
                f"{ratio} % is inside the bar: two equal things come as far apart."
                if not seen
                else f"{ratio} % is outside the bar of {noise} %, so a difference was seen.",
            ),
            (
                "A and B are equal",
                "Equal would be a claim too. A difference smaller than the bar may well be there."
                if not seen
                else "The ratio is outside the bar.",
            ),
            (
                f"B takes {abs(ratio - noise)} % longer: the noise is subtracted",
                "A bar is no "
                "amount to subtract. It says how far two equal things come apart, in either "
                "direction.",
            ),
            (
                f"B takes {ratio} % longer, on every machine",
                "One run speaks for one run on one machine.",
            ),
        ],
        draws,
        why=f"{ratio} % is {'outside' if seen else 'inside'} a bar of {noise} %.",
        steps=[
            f"The bar reaches {noise} %",
            f"The ratio is {ratio} % away from 1, {'more' if seen else 'less'} than that",
        ],
        hints=[
            "What does the noise bar say of two things that are equal?",
            f"B is {ratio} % away from A. Is that inside the bar or outside?",
            "A claim reaches no further than the run that it comes from.",
        ],
    )


_ORDERS = {
    "A ten times, then B ten times": "blocks",
    "A B A B, and so on, ten times each": "turns",
    "A B B A, and so on, ten times each": "mirrored",
}


@ask("06-order", "A machine that gets slower", "06-order", see=("chapter 06, *Order*",))
def drift(draws: Draws) -> Task:
    step = 1 if draws.first else draws.within(2, 9)
    words = draws.turn(list(_ORDERS))
    found = {name: _apart(name, step) for name in _ORDERS.values()}
    kind = _ORDERS[words]
    why = {
        "blocks": "Every B comes ten samples after its A.",
        "turns": "Every B comes one sample after its A.",
        "mirrored": "B is as often one sample late as one early.",
    }
    later = {"blocks": 10, "turns": 1, "mirrored": 0}[kind]
    middle = {
        "blocks": "That is the distance from the middle of a block to its end. The two middles are "
        "a whole block apart.",
        "turns": "There are no blocks here. Each B comes one sample after its A.",
        "mirrored": "There are no blocks here. Each comes as often first as second.",
    }
    return number(
        f"On a made-up machine each sample takes {step} ns longer than the one before it. A and B "
        f"are the same code. They are timed in this order: {words}. By how many ns does the mean "
        "of B exceed that of A?",
        found[kind],
        [
            (
                found["blocks"] if kind != "blocks" else found["turns"],
                "In turns the drift meets both more evenly than in blocks."
                if kind != "blocks"
                else "That holds for turns. In blocks every B comes ten samples later than its A.",
            ),
            (19 * step, "That is from the first sample to the last. Compare the two means."),
            (
                0 if kind != "mirrored" else found["turns"],
                "They are the same code, and the order makes them differ."
                if kind != "mirrored"
                else "In A B B A each is as often early as late.",
            ),
            (20 * step, "Compare the means: each B with the A that it belongs to."),
            (5 * step, middle[kind]),
        ],
        unit="ns",
        why=why[kind],
        solution=reasoned(
            why[kind],
            f"So the means are {count(later, 'sample')} apart: {later} \u00d7 {step} ns = "
            f"{later * step} ns",
            answer=later * step,
        ),
        hints=[
            "Write down the first four samples with their times, beginning at 0.",
            "How many samples later does B come than the A beside it, on average?",
            f"Each sample later costs {step} ns.",
        ],
    )


def _apart(order: str, step: int) -> int:
    """By how much the mean of ten B exceeds that of ten A when each sample takes `step` more."""
    plan = ["A", "B"] * 10 if order == "turns" else measure.schedule(["A", "B"], 10, order)
    times = {"A": [], "B": []}
    for n, name in enumerate(plan):
        times[name].append(n * step)
    return round(mean(times["B"]) - mean(times["A"]))


@ask(
    "06-steps",
    "A fair comparison",
    "06-order",
    "06-bar",
    see=("chapter 06, *Order*, *Warm-up* and *The gate*",),
    varied=False,
)
def steps(draws: Draws) -> Task:
    return sort(
        "Bring the steps of a fair comparison of two encoders into order.",
        [
            (
                "Check that each decodes what it encodes.",
                "Nothing is worth timing before that.",
            ),
            (
                "Call each a few times without a clock.",
                "Warming up something that writes nonsense is of no use: check first.",
            ),
            (
                "Time A, B, B, A, and a copy of A among them.",
                "Before the clock starts, the first calls have to be over.",
            ),
            (
                "Work out how far A and its copy are apart.",
                "For that the samples have to be there.",
            ),
            (
                "Judge the ratio of B to A by that.",
                "A ratio means nothing before the noise bar is known.",
            ),
        ],
        draws,
        why="Gate, warm-up, turns, noise bar, verdict.",
        hints=[
            "What has to be true before a time means anything?",
            "The noise bar comes from a copy of A, so the copy has to be timed as well.",
        ],
    )


@ask(
    "06-faults",
    "Which of them is too good?",
    "06-faults",
    see=("chapter 06, *Fault one: it keeps its output*",),
)
def faults(draws: Draws) -> Task:
    few, times = (8, 64) if draws.first else (draws.within(2, 20), draws.within(20, 90))
    many = few * times
    small = draws.within(20, 60)
    grown = small * draws.within(times * 3 // 5, times * 9 // 10)
    kept = draws.within(3, 9)
    return choose(
        f"You count the calls that four encoders make for a document of {few} items and for one of "
        f"{many:,}. Which of them should you look into before you believe its time?",
        f"{kept} calls for {few} items, {kept} for {many:,}",
        [
            (
                f"{small} calls for {few} items, {grown:,} for {many:,}",
                f"Its work grows with its input, as it should: {times} times as many items.",
            ),
            (
                f"{2 * small} calls for {few} items, {2 * grown:,} for {many:,}",
                "It makes twice as many calls as "
                "another. That may make it slow, and it grows with its input.",
            ),
            (
                f"{small + 40} calls for {few} items, {grown + 40:,} for {many:,}",
                "It makes some calls whatever the size, and the rest grows. That is normal.",
            ),
        ],
        draws,
        why=f"Encoding {times} times as many items with not one call more: it seems to encode "
        "nothing any more.",
        steps=[
            f"{many:,} items are {times} times as many as {few}",
            "Honest work grows with its input",
            f"One encoder makes {kept} calls for both",
        ],
        hints=[
            "What should happen to the calls when the input gets larger?",
            "An encoder that keeps its output from before can answer without work.",
        ],
    )


_QUESTIONS = {
    "the minimum": ("how fast can it be when nothing is in the way?", min),
    "the median": ("what is typical?", median),
    "the mean": ("what do many calls cost in total?", mean),
}


@ask("06-points", "Which number answers it?", "06-points", see=("chapter 06, *All the points*",))
def points(draws: Draws) -> Task:
    base = 20 if draws.first else draws.within(18, 40)
    extra = [0, 1, 3, 2, 2 + draws.within(2, 4), 1 + draws.within(2, 4)]
    far = base + 7 * draws.within(8, 14)
    far -= (7 * base + sum(extra) + far - base) % 7  # so that the mean is a whole number
    samples = draws.shuffled([*(base + n for n in extra), far])
    wanted = "the median" if draws.first else draws.pick(list(_QUESTIONS))
    asked, function = _QUESTIONS[wanted]
    right = function(samples)
    told = {
        "the minimum": "That is the minimum. It says how fast it can be when nothing is in the "
        "way.",
        "the median": "That is the median. It says what is typical.",
        "the mean": "That is the mean. It counts every sample, also the far one: what many calls "
        "cost in total.",
    }
    ordered = sorted(samples)
    working = {
        "the minimum": (f"In order: {', '.join(map(str, ordered))}", f"The first is {ordered[0]}"),
        "the median": (
            f"In order: {', '.join(map(str, ordered))}",
            f"The fourth of seven is {ordered[3]}",
        ),
        "the mean": (f"Their sum is {sum(ordered)}", f"{sum(ordered)} / 7 = {sum(ordered) // 7}"),
    }[wanted]
    result = {"the minimum": ordered[0], "the median": ordered[3], "the mean": sum(ordered) // 7}
    return number(
        f"Seven samples of one encoding, in ns and made up: {', '.join(map(str, samples))}. Which "
        f"number answers the question: {asked}",
        right,
        [(_QUESTIONS[name][1](samples), says) for name, says in told.items() if name != wanted]
        + [
            (samples[3], "That is the one in the middle of the list. Sort them first."),
            (
                max(samples),
                "That is the far point. Somebody waited that long, and it answers none "
                "of the three questions.",
            ),
            (
                round((min(samples) + max(samples)) / 2),
                "That is halfway between the extremes, and two samples decide it.",
            ),
        ],
        unit="ns",
        why=f"It is {wanted}.",
        solution=reasoned(f"The question asks for {wanted}", *working, answer=result[wanted]),
        hints=[
            "Minimum, median, mean: which question does each answer?",
            {
                "the minimum": "When nothing is in the way, a sample is at its shortest.",
                "the median": "What is typical stands in the middle, and one far point does not "
                "move it.",
                "the mean": "Many calls cost their sum, and the far point is a part of that.",
            }[wanted],
        ],
    )


@ask(
    "06-weigh",
    "One ratio from two",
    "06-weigh",
    see=("chapter 06, *Ratios have a weight*", "*Rust: why Speedy outruns Bincode on Document*"),
)
def weigh(draws: Draws) -> Task:
    fast = (88, 264) if draws.first else (draws.within(20, 120), draws.within(100, 300))
    slow = (
        (203, 573)
        if draws.first
        else (draws.within(2 * fast[0], 4 * fast[0]), draws.within(fast[1] + 20, 2 * fast[1]))
    )
    times = 1 if draws.first else draws.within(1, 10)
    totals = [one[0] + times * one[1] for one in (slow, fast)]
    ratios = [slow[0] / fast[0], slow[1] / fast[1]]
    often = "once" if times == 1 else f"{times} times"
    return number(
        f"A encodes a record in {fast[0]} ns and decodes it in {fast[1]} ns. B takes {slow[0]} and "
        f"{slow[1]} ns. Your program decodes {often} what it has encoded once. How many times as "
        "long does it take with B as with A? Give two digits behind the point.",
        totals[0] / totals[1],
        [
            (
                mean(ratios),
                "You took the mean of the two ratios. The longer time has the larger "
                "weight: add the times first.",
            ),
            (ratios[0], "That is the ratio for encoding alone."),
            (ratios[1], "That is the ratio for decoding alone."),
            (
                (slow[0] + slow[1]) / (fast[0] + fast[1]),
                f"You counted one decoding. This program decodes {often}.",
            ),
            (
                totals[1] / totals[0],
                "You divided A's time by B's. The question asks how many times as long B takes.",
            ),
            (
                (ratios[0] * ratios[1]) ** 0.5,
                "You took the geometric mean of the ratios. Times are "
                "added: the program makes one after the other.",
            ),
        ],
        places=2,
        why="The times are added, and then divided.",
        solution=reasoned(
            f"With A: {fast[0]} + {times} \u00d7 {fast[1]} = {plain(fast[0] + times * fast[1])} ns",
            f"With B: {slow[0]} + {times} \u00d7 {slow[1]} = {plain(slow[0] + times * slow[1])} ns",
            f"{plain(totals[0])} / {plain(totals[1])} = {totals[0] / totals[1]:.2f}",
            answer=f"{(slow[0] + times * slow[1]) / (fast[0] + times * fast[1]):.2f}",
        ),
        hints=[
            "How long does the program take with each? Add the times.",
            f"With A it takes {fast[0]} + {times} \u00d7 {fast[1]} ns.",
            "Divide at the very end.",
        ],
    )


@ask(
    "06-units",
    "Steps and nanoseconds",
    "06-units",
    see=("chapter 06, *Instructions are not nanoseconds*",),
)
def units(draws: Draws) -> Task:
    more = 68 if draws.first else draws.within(30, 90)
    base = draws.within(1_500, 2_000)
    return choose(
        f"A change adds {more} instructions to an encoding of {base:,}, exactly and in every run. "
        "How many nanoseconds does it cost?",
        "that has to be measured: it may be none, or many",
        [
            (
                f"{100 * more / base:.1f} % of the time, because that is its share",
                "Instructions are "
                "not equally dear. A processor works on many at once: one may fill a gap, another "
                "may wait.",
            ),
            (
                f"at least {more} times the time of one instruction",
                "Several instructions run at once, so the time of one is no lower bound.",
            ),
            (
                "none, because a processor has instructions to spare",
                "It may be none. It may also be "
                "many, if one of them has to wait or a jump is guessed wrong.",
            ),
        ],
        draws,
        why="A count is exact and says what is done. A time says how long, and the one does not "
        "give the other.",
        hints=[
            "Does every instruction take equally long?",
            "What can a processor do with instructions that do not wait for one another?",
        ],
    )


@ask(
    "06-claim", "How far does a claim reach?", "06-claim", see=("chapter 06, *One run is one run*",)
)
def claim(draws: Draws) -> Task:
    ratios = [draws.within(120, 160) / 100 for _ in range(3)]
    case = draws.turn(range(3))
    situation, right = [
        (
            f"In one run on one machine B takes {ratios[0]:.2f} times as long as A, outside the "
            "noise bar.",
            "in this run, on this machine, B took longer",
        ),
        (
            f"In three runs on one machine B takes {ratios[0]:.2f}, {ratios[1]:.2f} and "
            f"{ratios[2]:.2f} times as long as A, each outside its noise bar.",
            "on this machine B takes longer, in each of three runs",
        ),
        (
            f"On two machines B takes {ratios[0]:.2f} and {ratios[1]:.2f} times as long as A, and "
            f"on a third {2 - ratios[2]:.2f} times, each outside its noise bar.",
            "the machines disagree",
        ),
    ][case]
    run, three, average, faster = (
        "in this run, on this machine, B took longer",
        "on this machine B takes longer, in each of three runs",
        "B takes longer, on average over all runs",
        "A is the faster library",
    )
    too_far = "That reaches further than any run: to all machines, records and versions."
    wrong = [
        {
            three: "There was only one run, and a later one may differ by more than the bar.",
            average: "There was one run. An average over runs needs several.",
            "the machines disagree": "There was one machine.",
            faster: too_far,
        },
        {
            run: "There were three runs, so \u201cthis run\u201d says too little.",
            average: "That is true, and it says less than the runs do: each of them shows it.",
            "the machines disagree": "There was one machine.",
            faster: too_far,
        },
        {
            run: "There were several machines, and on one of them it was the other way round.",
            three: "There were several machines, and one of them says the opposite.",
            average: "An average over machines describes none of them, and it hides where they "
            "disagree.",
            faster: too_far,
        },
    ][case]
    return choose(
        f"{situation} What may you claim?",
        right,
        list(wrong.items()),
        draws,
        why="A claim reaches as far as its runs, and no further.",
        steps=["Count the runs and the machines", "Ask whether all of them agree"],
        hints=[
            "How many runs, and how many machines?",
            "Do all of them agree?",
            "Look for the strongest claim that every run supports, and no stronger one.",
        ],
    )
