"""Taking the gap apart: switches, interactions, interventions, payloads. The figures of these
questions are made up, and say so."""

from __future__ import annotations

from bytewalk import fixtures
from bytewalk.formats import bincode, speedy
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Task, argue, choose, number, sort
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import plain, reasoned, total
from bytewalk.records import DocumentItem

chapter = Chapter("07")
ask = chapter.ask
_ARTICLE = "*Rust: why Speedy outruns Bincode on Document*"


@ask("07-read", "One turn of a switch", "07-read", see=("chapter 07, *The line-up: encoding*",))
def read(draws: Draws) -> Task | None:
    noise, before = (3, 50) if draws.first else (draws.within(2, 5), draws.within(20, 90))
    move, work = (1, 40) if draws.first else (draws.within(-9, 9), draws.within(20, 400))
    share = 100 * abs(move) / before
    if not move or noise <= share <= noise + 1:
        return None
    seen = share > noise
    longer = "longer" if move > 0 else "shorter"
    time = f"{abs(move)} ns {longer}" if seen else "no difference seen in time"
    other = "no difference seen in time" if seen else f"{abs(move)} ns {longer}"
    right = f"{work} instructions more, and {time}"
    return choose(
        f"In a made-up line-up the noise of the time is {noise} %. One turn of a switch takes an "
        f"encoding from {before} to {before + move} ns, and adds exactly {work} instructions. "
        "What did this turn show?",
        right,
        [
            (
                f"{work} instructions more, and {other}",
                f"{abs(move)} of {before} ns is {share:.1f} %, "
                f"{'outside' if seen else 'inside'} a noise of {noise} %.",
            ),
            (
                f"an instruction that costs {abs(move) / work:.3f} ns",
                "Instructions have no price of their own, and these did not all cost the same.",
            ),
            (
                "no difference, neither in time nor in instructions"
                if not seen
                else f"{abs(move)} ns {longer}, and perhaps more instructions",
                "The count of instructions is exact. The noise belongs to the time alone.",
            ),
        ],
        draws,
        why=f"The count is exact, and {abs(move)} of {before} ns is {share:.1f} %.",
        steps=[
            "The count of instructions is exact",
            f"{abs(move)} / {before} is {share:.1f} %, and the noise is {noise} %",
        ],
        hints=[
            "Which of the two figures has noise?",
            f"The time moved by {abs(move)} of {before} ns. How many percent is that?",
        ],
    )


def _runs(draws: Draws) -> tuple[int, int, int, int]:
    """Fixed and variable widths with a slice, then with `Write`, in ns: an interaction."""
    if draws.first:
        return 20, 30, 26, 75
    fixed = draws.within(18, 30)
    variable = fixed + draws.within(6, 15)
    written = fixed + draws.within(3, 9)
    return fixed, variable, written, written + draws.within(25, 60)


def _table(runs: tuple[int, int, int, int]) -> str:
    return (
        f"A made-up encoder takes {runs[0]} ns with fixed widths and a slice as its sink, "
        f"{runs[1]} with varints and a slice, {runs[2]} with fixed widths and `Write`, {runs[3]} "
        "with varints and `Write`."
    )


@ask("07-given", "Given what?", "07-given", see=("chapter 07, *Two by two*",))
def given(draws: Draws) -> Task:
    runs = _runs(draws)
    sliced, written = runs[1] - runs[0], runs[3] - runs[2]
    return number(
        f"{_table(runs)} How many ns do varints cost, given `Write`?",
        written,
        [
            (
                sliced,
                "That is their cost given a slice. The cost of a choice depends on the others.",
            ),
            (
                runs[3] - runs[0],
                "You turned two switches at once. Keep the sink and turn the widths.",
            ),
            (
                (sliced + written) / 2
                if (sliced + written) % 2 == 0
                else (sliced + written + 1) // 2,
                "That is the mean of two costs, and the cost in no program.",
            ),
            (runs[3] - runs[1], "You turned the sink. Keep it and turn the widths."),
            (written - sliced, "That is how far the two costs are apart: the interaction."),
        ],
        unit="ns",
        why="Both runs have `Write`, and only the widths differ.",
        solution=reasoned(
            f"With `Write`, varints take {runs[3]} ns and fixed widths {runs[2]}",
            f"{runs[3]} \u2212 {runs[2]} = {runs[3] - runs[2]}",
            answer=runs[3] - runs[2],
        ),
        hints=[
            "Which two of the four runs have `Write`?",
            "They differ in the widths alone. By how much?",
        ],
    )


@ask("07-sum", "Shares of a whole?", "07-given", see=("chapter 07, *One turn at a time*",))
def together(draws: Draws) -> Task:
    runs = _runs(draws)
    widths, sink = runs[3] - runs[2], runs[3] - runs[1]
    whole = runs[3] - runs[0]
    return number(
        f"{_table(runs)} Begin at varints and `Write`. Turn each of the two switches alone, and "
        "add what each saves. How many ns is the sum?",
        widths + sink,
        [
            (
                whole,
                "That is the whole way, both switches turned. Turned alone, each saves also "
                "what only the two together cost, so the sum is larger.",
            ),
            (widths, "That is the widths alone. Turn the sink alone as well, and add."),
            (sink, "That is the sink alone. Turn the widths alone as well, and add."),
            (
                widths + runs[1] - runs[0],
                "You turned one after the other in part. Begin at the same run both times.",
            ),
        ],
        unit="ns",
        why=f"More than the whole way of {whole} ns: shares of savings are no shares of a whole.",
        solution=total(
            [
                (f"The widths alone, {runs[3]} \u2212 {runs[2]}", widths),
                (f"The sink alone, {runs[3]} \u2212 {runs[1]}", sink),
            ],
            "ns",
        ),
        hints=[
            f"The first run takes {runs[3]} ns. Which run has other widths and the same sink?",
            "Which run has another sink and the same widths?",
            "Both savings count from the first run. Add them.",
        ],
    )


@ask(
    "07-step",
    "The step to another library",
    "07-step",
    see=("chapter 07, *Sixteen corners, and one step*",),
)
def step(draws: Draws) -> Task:
    more = draws.turn(range(5, 41))
    return choose(
        "Fixed widths, its own derive, the bare document, a slice: bincode's switches are all "
        f"turned. Suppose it still takes {more} ns more than Speedy, outside the noise. Its "
        "lengths have eight bytes where Speedy's have four. What do you conclude?",
        "everything that differs between the two libraries costs that together",
        [
            (
                f"lengths of eight bytes cost {more} ns",
                "The lengths are one of many differences: "
                "other code, other checks, other ways to make a text. Change the lengths alone to "
                "learn what they cost.",
            ),
            (
                "nothing is left, since all the switches were turned",
                "Something is left: the step "
                "to the other library. No switch of bincode leads there.",
            ),
            (
                "the road through Serde costs that",
                "Its own derive was used, so Serde is not on the way.",
            ),
        ],
        draws,
        why="The last step changes the library, and with it everything at once.",
        hints=[
            "How many things change in that step?",
            "To know what one of them costs, you would have to change that one alone.",
        ],
    )


@ask(
    "07-trial",
    "From suspect to cause",
    "07-intervene",
    see=("chapter 07, *Accuse, then intervene*",),
    varied=False,
)
def trial(draws: Draws) -> Task:
    return sort(
        "A decoder is slower than another one. Bring the steps from a suspicion to a cause into "
        "order.",
        [
            (
                "Time both beside a copy, and see that the gap is outside the noise.",
                "Without a gap there is nothing to explain.",
            ),
            (
                "Look into a profile and name a suspect.",
                "A suspect is wanted only for a gap that is there.",
            ),
            (
                "Change that one thing, and leave the rest as it is.",
                "First you have to know what to change.",
            ),
            (
                "Time again, in several processes and with the code at other addresses.",
                "It is the changed program that is timed.",
            ),
            (
                "Accept the cause if all runs agree, and call the rest unexplained.",
                "A verdict comes after the evidence.",
            ),
        ],
        draws,
        why="A profile accuses, and only the intervention convicts.",
        hints=[
            "What does a profile show, and what does it not show?",
            "A suspect comes from the profile, and the evidence from changing it.",
        ],
    )


@ask("07-accept", "Three processes", "07-intervene", see=("chapter 07, *Accuse, then intervene*",))
def accept(draws: Draws) -> Task | None:
    bar = 2 if draws.first else draws.within(2, 5)
    saved = [-12, 3, -9] if draws.first else [draws.within(-15, 15) for _ in range(3)]
    if 0 in saved or len(set(saved)) < 3:
        return None
    agree = len({n > 0 for n in saved}) == 1
    large = sorted(map(abs, saved))[1] > bar
    yes, sign, small = (
        "yes",
        "no: the processes do not agree on the sign",
        "no: it is within the noise",
    )
    right = sign if not agree else yes if large else small
    told = {
        yes: "They do not agree on the sign: with one of them the time went the other way."
        if not agree
        else f"The middle one is {abs(sorted(saved)[1])} ns, within {bar}.",
        sign: "All three went in the same direction.",
        small: "They do not even agree on the sign."
        if not agree
        else f"The middle one is {abs(sorted(saved)[1])} ns, more than {bar}.",
        "no: three processes are too few": "More would be better. The rule asks whether these "
        "agree, and how large the change is.",
    }
    return choose(
        "A change moves the time of a decoder, in three processes, by "
        f"{', '.join(plain(n) for n in saved[:2])} and {plain(saved[2])} ns. The noise is {bar} "
        "ns. By chapter 07's rule, do you accept the change as a cause?",
        right,
        [(text, says) for text, says in told.items() if text != right],
        draws,
        why="The rule asks that all agree on the sign, and that the effect is larger than the "
        "noise.",
        steps=[
            "All three negative, or all three positive? " + ("Yes" if agree else "No"),
            f"The middle one is {abs(sorted(saved)[1])} ns, and the noise {bar}",
        ],
        hints=[
            "Look at the signs first.",
            "If they agree, put the three in order and compare the middle one with the noise.",
        ],
    )


@ask(
    "07-claims",
    "Where does it hold?",
    "07-claims",
    see=("chapter 07, *The claims, one by one*", _ARTICLE),
)
def claims(draws: Draws) -> Task:
    encoding, decoding, both, neither = (
        "on encoding only",
        "on decoding only",
        "on encoding and on decoding",
        "in neither direction",
    )
    small = "The wrapper is one small tag. It makes up less than a tenth of either gap."
    statement, why, told = draws.turn(
        [
            (
                "Most of the gap to Speedy is there because bincode asks how many bytes an integer "
                "needs.",
                "On decoding, fixed widths leave most of the gap; on encoding they are the largest "
                "part.",
                {
                    encoding: "",
                    decoding: "It is the other way round: on decoding, fixed widths leave most of "
                    "the gap.",
                    both: "Decoding is another matter: there fixed widths leave most of the gap.",
                    neither: "On encoding, fixed widths take away more than half of the gap.",
                },
            ),
            (
                "bincode takes longer than Speedy.",
                "In both builds and in both directions, outside the noise.",
                {
                    both: "",
                    encoding: "The runs show it for decoding too.",
                    decoding: "The runs show it for encoding too.",
                    neither: "Both line-ups begin with a gap that is outside the noise.",
                },
            ),
            (
                "Once all its switches are turned, bincode is about where Speedy is.",
                "On encoding the last step is less than a quarter of the gap. On decoding a large "
                "part stays.",
                {
                    encoding: "",
                    decoding: "It is the other way round: on decoding a large part of the gap "
                    "stays.",
                    both: "Not on decoding: there a large part of the gap stays at the end.",
                    neither: "On encoding what is left is less than a quarter of the gap.",
                },
            ),
            (
                "postcard takes less time than bincode, in both builds.",
                "On decoding it does in both builds. On encoding the builds disagree.",
                {
                    decoding: "",
                    encoding: "It is the other way round: on encoding the two builds disagree.",
                    both: "On encoding the two builds disagree.",
                    neither: "On decoding postcard takes less time in both builds.",
                },
            ),
            (
                "Most of the gap to Speedy is there because bincode is given the document in a "
                "`Fixture`.",
                small,
                {neither: "", encoding: small, decoding: small, both: small},
            ),
        ]
    )
    (right,) = [answer for answer, says in told.items() if not says]
    return choose(
        f"By the recorded runs of chapter 07, for which directions does this hold? "
        f"\u201c{statement}\u201d",
        right,
        [(answer, says) for answer, says in told.items() if says],
        draws,
        why=why,
        hints=[
            "The chapter has one line-up for each direction.",
            "Look up what it says of encoding first, and then of decoding.",
        ],
    )


@ask("07-payload", "When the size flips", "07-payload", see=("chapter 07, *Payloads*",))
def payload(draws: Draws) -> Task:
    letters = 300 if draws.first else draws.pick([draws.within(2, 20), draws.within(251, 900)])
    price = (
        2**31 + draws.within(0, 9_999)
        if draws.first
        else draws.pick(
            [draws.within(1, 120), draws.within(40_000, 90_000), 2**31 + draws.within(0, 9_999)]
        )
    )
    item = DocumentItem("x" * letters, 1, price)
    sizes = [len(format.encode(item)) for format in (speedy, bincode)]
    length = 1 if letters <= 250 else 3
    cost, unfolded = _varint(2 * price), _varint(price)
    return number(
        f"An item has a `sku` of {letters} ASCII letters, a `qty` of 1 and a `price_minor` of "
        f"{price:,}. By how many bytes is it shorter in bincode than in Speedy?",
        sizes[0] - sizes[1],
        [
            (
                sizes[0] - sizes[1] + 1,
                "Count the markers too: a number above 250 has one in front.",
            ),
            (
                sizes[0] - sizes[1] + cost - unfolded,
                "Fold the price first: its place is twice as large.",
            ),
            (
                3 + 3 + 7,
                "That is what small numbers save. Here the price or the length is above 250.",
            ),
            (
                sizes[0] - sizes[1] - 3,
                "`qty` is an `i32`: four bytes in Speedy and one in bincode.",
            ),
            (sizes[0] - sizes[1] + 4, "Speedy's length has four bytes, and bincode's is a varint."),
            (sizes[0] - sizes[1] - 1, "One too few. Compare field by field."),
        ],
        unit="bytes",
        why="Small numbers save, and a number that fills its type costs a byte more. The text "
        "costs the same.",
        solution=total(
            [
                (f"The length: 4 \u2212 {length}", 4 - length),
                ("The text", 0),
                ("`qty`, place 2: 4 \u2212 1", 3),
                (f"`price_minor`, place {plain(2 * price)}: 8 \u2212 {cost}", 8 - cost),
            ]
        ),
        hints=[
            "Compare length, text, `qty` and `price_minor`, one by one.",
            "The place of the price is twice the price.",
            f"The length takes {length} in bincode, and the price {cost}.",
        ],
    )


def _varint(number: int) -> int:
    """The bytes of a marker varint."""
    return next(
        size
        for size, most in ((1, 250), (3, 2**16 - 1), (5, 2**32 - 1), (9, 2**64 - 1))
        if number <= most
    )


@ask(
    "07-article",
    "The article's third question",
    "07-claims",
    "07-given",
    see=(
        "chapter 07, *One turn at a time*",
        f"{_ARTICLE}, its third question",
        "bincode 2.0.1 `src/config.rs`",
    ),
    varied=False,
)
def article(draws: Draws) -> Task:
    document = fixtures.make("document", seed=42, index=0)
    sizes = {
        "bincode": len(bincode.encode(document)),
        "Speedy": len(speedy.encode(document)),
        "fixed": len(bincode.standard().with_fixed_int_encoding().encode(document)),
        "wrapped": len(bincode.legacy().encode(fixtures.as_fixture(document))),
    }
    assert sizes["fixed"] > sizes["Speedy"] > sizes["bincode"]
    return argue(
        "The article times bincode through Serde, in its standard configuration, with the document "
        "in a `Fixture`, into a growing `Vec`. Name one change to that call that shrinks the gap "
        "in speed without touching Speedy, and one that shrinks bincode's advantage in size.",
        [
            "Speed: `with_fixed_int_encoding()`, the largest step on encoding; or a slice as the "
            "sink",
            "Passing the inner document, or the crate's own `Encode`, saves little on encoding",
            f"Size: fixed widths. They do not only shrink the advantage, they turn it round: "
            f"{sizes['fixed']} bytes ({sizes['wrapped']} as a `Fixture`) against {sizes['Speedy']}",
            "The reason is the length of eight bytes, where Speedy has four",
            "What a change saves depends on the other choices, and on the build",
        ],
        "`with_fixed_int_encoding()` answers both. On encoding it saves more time than any other "
        "turn in the recorded runs, and encoding into a slice comes next. On size it overshoots: "
        f"the document grows from {sizes['bincode']} to {sizes['fixed']} bytes, more than Speedy's "
        f"{sizes['Speedy']}, because bincode's lengths are `u64`.",
        hints=["Which switches does bincode have?", "What happens to its lengths at fixed width?"],
    )
