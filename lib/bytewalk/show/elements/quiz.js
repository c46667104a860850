(() => {
  "use strict";
  if (!window.customElements || customElements.get("bw-quiz")) return;

  /* --- Small things --------------------------------------------------------------------------- */

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  /* Code is in backquotes. */
  const prose = (text) => text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));
  const count = (n, noun = "byte") => n.toLocaleString("en-US") + " " + noun + (n === 1 ? "" : "s");
  const turn = (text) => text.replace(/[a-z0-9]/gi, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 58) return String.fromCharCode(48 + (code - 43) % 10);
    const first = code < 97 ? 65 : 97;
    return String.fromCharCode(first + (code - first + 13) % 26);
  });
  /* The value of draw i; packed by `packed` in page.py. */
  const unpack = ([how, ...rest], i) => {
    if (how === 0) return rest[0];
    if (how === 1) return rest.map((column) => unpack(column, i));
    if (how === 2) return rest.map((column) => unpack(column, i)).join("");
    if (how === 4) return rest[i];
    const [groups, ...columns] = rest;
    const before = groups.slice(0, i).filter((group) => group === groups[i]).length;
    return unpack(columns[groups[i]], before);
  };

  /* What is answered, on the reader's machine; for this page only where nothing can be kept. */
  const KEY = "bytewalk.quiz.";
  const page = new Set();
  const kept = {
    has(id) {
      try { return page.has(id) || localStorage.getItem(KEY + id) !== null; } catch { return page.has(id); }
    },
    add(id) {
      page.add(id);
      try { localStorage.setItem(KEY + id, "answered"); } catch { /* not kept */ }
      window.dispatchEvent(new Event("bw-quiz"));
    },
    clear() {
      page.clear();
      try {
        Object.keys(localStorage).filter((key) => key.startsWith(KEY)).forEach((key) => localStorage.removeItem(key));
      } catch { /* nothing was kept */ }
      window.dispatchEvent(new Event("bw-quiz"));
    },
  };
  const watch = (show) => {
    window.addEventListener("bw-quiz", show);
    window.addEventListener("storage", show);
    show();
  };

  /* --- Reading an answer: the same as in answers.py -------------------------------------------- */

  class Unreadable extends Error {}
  const refuse = (quiz, name, words) => { throw new Unreadable(quiz.say(name, words)); };

  const tidy = (quiz, text) => {
    if (text.length > 5000) refuse(quiz, "huge");
    text = text.replace(/\s+/g, " ").replace(/^[ `]+|[ `]+$/g, "");
    if (!text) refuse(quiz, "empty");
    return text.replace(/\u2212/g, "-").replace(/\u2019/g, "'");
  };

  const hex = (n) => n.toString(16).padStart(2, "0");

  const literal = (quiz, body) => {
    const escapes = { n: "0a", r: "0d", t: "09", 0: "00", "\\": "5c", "'": "27", '"': "22" };
    return (body.match(/\\x[0-9a-fA-F]{2}|\\.|./gu) || []).map((piece) => {
      if (/^\\x..$/.test(piece)) return piece.slice(2).toLowerCase();
      if (piece[0] === "\\" && escapes[piece.slice(1)]) return escapes[piece.slice(1)];
      if (piece[0] !== "\\" && piece >= " " && piece <= "~") return hex(piece.charCodeAt(0));
      return refuse(quiz, "quote");
    }).join("") || refuse(quiz, "empty");
  };

  const pairs = (quiz, part) => {
    const digits = part.replace(/^0x/i, "");
    const stranger = digits.match(/[^0-9a-f]/iu);
    if (stranger || !digits) refuse(quiz, "digit", { sign: stranger ? stranger[0] : part });
    if (digits.length === 1) return "0" + digits.toLowerCase();
    if (digits.length % 2) refuse(quiz, "odd", { part: part.length > 12 ? part.slice(0, 12) + "..." : part });
    return digits.toLowerCase();
  };

  const listed = (quiz, part) => {
    const number = Number(part);
    return number > 255 ? refuse(quiz, "byte", { part }) : hex(number);
  };

  const readBytes = (quiz, text) => {
    text = tidy(quiz, text).replace(/^bytes\.fromhex\( ?["'](.*)["'] ?\)$/, "$1");
    text = text.replace(/^(?:bytes|bytearray)\( ?(.*?) ?\)$/, "$1");
    const quoted = text.match(/^b?(["'])(.*)\1$/);
    if (quoted) return literal(quiz, quoted[2]);
    text = text.replace(/\\x/g, " ");
    const list = text.match(/^(?:&|vec!)?[[({](.*)[\])}]$/);
    const parts = (list ? list[1] : text).split(/[ ,;:_|.-]+/).filter(Boolean);
    const decimal = list && (text.includes(",") || parts.length === 1) && parts.every((part) => /^(0x[0-9a-f]{1,2}|0|[1-9][0-9]{0,5})$/i.test(part));
    return parts.map((part) => (decimal ? listed : pairs)(quiz, part)).join("") || refuse(quiz, "empty");
  };

  const NUMBER = /^([+-]?) ?(?:0x([0-9a-f]{1,40})|([0-9]{1,3}(?:[,'_ ][0-9]{3}){1,13}|[0-9]{1,40})(?:[.,]([0-9]{1,40}))?)(?: ?[a-z%\u00b5\u03bc][a-z% ./]*)?\.?$/i;

  const readNumber = (quiz, text, places = 0) => {
    const found = tidy(quiz, text).match(NUMBER);
    if (!found) refuse(quiz, "number");
    const [, sign, hexadecimal, whole, behind = ""] = found;
    const digits = hexadecimal ? BigInt("0x" + hexadecimal).toString() : whole.replace(/[^0-9]/g, "").replace(/^0+/, "");
    const fraction = behind.replace(/0+$/, "");
    if (places && fraction.length > places) refuse(quiz, "places", { places: places + " digits behind the point" });
    const plain = (digits || "0") + (fraction && "." + fraction);
    return sign === "-" && plain !== "0" ? "-" + plain : plain;
  };

  const dashed = (text) => text.replace(/-/g, "\u2212");
  const at = (ends, byte) => ends.findIndex((end) => byte < end);

  /* --- The kinds: the form, how an answer is read, and what is said to one that is near -------- */

  let made = 0;
  const radios = () => "bw-choice-" + (made += 1);
  const typed = (quiz, legend, tag = "input") => {
    const field = make(tag, { spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    if (tag === "input") field.type = "text";
    quiz.value = () => field.value;
    return [make("label", {}, legend + " ", field)];
  };

  const KINDS = {
    bytes: {
      form: (quiz) => {
        const label = typed(quiz, "The bytes, in hexadecimal:", "textarea");
        label[0].lastChild.className = "bw-mono";
        return label;
      },
      read: readBytes,
      near(quiz, answer, right, [ends, labels]) {
        for (let i = 0; i < Math.min(answer.length, right.length); i += 2) {
          const byte = answer.slice(i, i + 2);
          if (byte === right.slice(i, i + 2)) continue;
          /* A misconception need not have struck in every field. */
          const field = at(ends, i / 2), start = field ? 2 * ends[field - 1] : 0;
          const believed = quiz.slips.find(([parts]) => {
            const all = parts.split(" "), part = all[field];
            return all.length === ends.length && start + part.length > i && answer.startsWith(part, start);
          });
          return believed ? believed[1] : quiz.say("differs", { at: i / 2, byte, label: labels[field] });
        }
        const n = answer.length / 2;
        if (n < right.length / 2) return quiz.say("short", { bytes: count(n), label: labels[at(ends, n)] });
        return quiz.say("long", { at: right.length / 2, more: count(n - right.length / 2) });
      },
    },
    number: {
      form(quiz, [unit]) {
        const label = typed(quiz, "Your answer:");
        label[0].lastChild.className = "bw-small";
        if (unit) label[0].append(" " + unit);
        return label;
      },
      read: (quiz, text) => readNumber(quiz, text, quiz.extra[1]),
      near: (quiz, answer, right) => quiz.say(Number(answer) > Number(right) ? "large" : "small", { number: dashed(answer) }),
    },
    choice: {
      form(quiz, [choices]) {
        const name = radios();
        const set = make("fieldset", {}, make("legend", {}, "Your answer"));
        choices.forEach((choice, i) => set.append(make("label", {}, make("input", { type: "radio", name, value: i + 1 }), " ", ...prose(choice))));
        quiz.value = () => (set.querySelector("input:checked") || { value: "" }).value;
        return [set];
      },
      read(quiz, text) {
        const found = tidy(quiz, text).match(/^0*([1-9][0-9]?)[.)]?$/);
        const most = quiz.extra[0].length;
        return !found || Number(found[1]) > most ? refuse(quiz, "choice", { most }) : found[1];
      },
    },
    order: {
      form(quiz, [steps]) {
        const list = make("ol", { class: "bw-listed" });
        const move = (item, up, button) => {
          const other = up ? item.previousElementSibling : item.nextElementSibling;
          if (!other) return;
          if (up) other.before(item); else other.after(item);
          button.focus();
          const place = [...list.children].indexOf(item) + 1;
          quiz.tell("Now in place " + place + ".", "");
        };
        steps.forEach((step, i) => {
          const item = make("li", { "data-step": i + 1 });
          for (const [sign, words] of [["\u2191", "Move up: "], ["\u2193", "Move down: "]]) {
            const button = make("button", { type: "button", "aria-label": words + step.replace(/`/g, "") }, sign);
            button.addEventListener("click", () => move(item, sign === "\u2191", button));
            item.append(button);
          }
          item.append(...prose(step));
          list.append(item);
        });
        quiz.value = () => [...list.children].map((item) => item.dataset.step).join(" ");
        return [list];
      },
      read(quiz, text) {
        const most = quiz.extra[0].length;
        const numbers = tidy(quiz, text).match(/[0-9]/g) || [];
        const all = [...numbers].sort().join("") === "123456789".slice(0, most);
        return all ? numbers.join(" ") : refuse(quiz, "order", { most });
      },
      near(quiz, answer, right, [steps, reasons]) {
        const mine = answer.split(" ");
        const place = mine.findIndex((step, i) => step !== right.split(" ")[i]);
        const step = mine[place] - 1;
        return quiz.say("later", { place: place + 1, step: steps[step], reason: reasons[step] });
      },
    },
    range: {
      form(quiz, [data]) {
        const [label] = typed(quiz, "First and last byte:");
        const field = label.lastChild;
        field.className = "bw-small";
        const cells = data.match(/../g).map((byte, i) => make("button", { type: "button", tabindex: i ? -1 : 0, "aria-pressed": "false", "aria-label": "byte " + i + ", " + byte }, byte));
        let anchor = null, from = null, open = false;
        const mark = (first, last) => cells.forEach((cell, i) => cell.setAttribute("aria-pressed", String(first <= i && i <= last)));
        const select = (i) => {
          const [first, last] = [Math.min(anchor, i), Math.max(anchor, i)];
          field.value = first + "-" + last;
          mark(first, last);
        };
        /* A first click begins the range and the next one ends it; so do Shift and dragging. */
        const press = (i, end) => {
          open = !end;
          if (open) anchor = i;
          select(i);
        };
        field.addEventListener("input", () => {
          const [first, last = first] = (field.value.match(/[0-9]+/g) || [-1]).map(Number);
          mark(first, last);
          [anchor, open] = [null, false];
        });
        const rows = [];
        cells.forEach((cell, i) => {
          cell.addEventListener("click", (event) => press(i, anchor !== null && (open || event.shiftKey)));
          cell.addEventListener("pointerdown", () => { from = i; });
          cell.addEventListener("pointerover", (event) => {
            if (!event.buttons || from === null || from === i) return;
            anchor = from;
            press(i, true);
          });
          cell.addEventListener("keydown", (event) => {
            const next = i + { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key];
            if (!cells[next]) return;
            event.preventDefault();
            cell.tabIndex = -1;
            cells[next].tabIndex = 0;
            cells[next].focus();
            if (event.shiftKey) {
              if (anchor === null) anchor = i;
              press(next, true);
            }
          });
          if (i % 8 === 0) rows.push(make("div", {}, make("span", { class: "bw-at" }, String(i))));
          rows[rows.length - 1].append(cell);
        });
        return [make("div", { class: "bw-bytes bw-mono", role: "group", "aria-label": "The bytes of the message" }, ...rows), label];
      },
      read(quiz, text) {
        const found = tidy(quiz, text).match(/^(?:bytes? )?([0-9]{1,6})(?: ?(?:-|\u2013|\.\.|to) ?([0-9]{1,6}))?$/i);
        if (!found) refuse(quiz, "range");
        const [first, last] = [found[1], found[2] || found[1]].map(Number).sort((a, b) => a - b);
        const end = quiz.extra[0].length / 2 - 1;
        return last > end ? refuse(quiz, "outside", { last: end }) : first + "-" + last;
      },
      near(quiz, answer, right, [, ends, labels]) {
        const [[first, last], [start, end]] = [answer, right].map((range) => range.split("-").map(Number));
        for (let i = first; i <= last; i++) {
          if (i < start || i > end) return quiz.say("stranger", { at: i, label: labels[at(ends, i)] });
        }
        return quiz.say("part");
      },
    },
    verdict: {
      form(quiz, [asks]) {
        const name = radios();
        const [label] = typed(quiz, "");
        const field = label.lastChild;
        field.className = "bw-small";
        const words = make("span", {}, "The number: ");
        const set = make("fieldset", {}, make("legend", {}, "The decoder"));
        for (const [value, text, which] of [["accepted", "accepts them", asks], ["refused", "refuses them", "At byte, counted from 0"]]) {
          const radio = make("input", { type: "radio", name, value });
          radio.addEventListener("change", () => words.replaceChildren(...prose(which), ": "));
          set.append(make("label", {}, radio, " " + text));
        }
        label.replaceChildren(words, field);
        quiz.value = () => (set.querySelector("input:checked") || { value: "" }).value + " " + field.value;
        return [set, label];
      },
      read(quiz, text) {
        const found = tidy(quiz, text).match(/^(accept|refuse|reject)[a-z]*([^0-9-]*)(.*)$/i);
        if (!found) refuse(quiz, "verdict");
        const accepted = found[1].toLowerCase() === "accept";
        if (!found[3]) refuse(quiz, accepted ? "which" : "where");
        return (accepted ? "accepted " : "refused ") + readNumber(quiz, found[3]);
      },
      near(quiz, answer, right) {
        const [[mine, number], [theirs]] = [answer, right].map((verdict) => verdict.split(" "));
        if (mine !== theirs) return quiz.say(theirs === "accepted" ? "accepts" : "refuses");
        return quiz.say(mine === "accepted" ? "otherwise" : "elsewhere", { number: dashed(number) });
      },
    },
    argument: {
      form(quiz) {
        quiz.points = make("div", { hidden: "" });
        return [...typed(quiz, "Your answer:", "textarea"), quiz.points];
      },
      read(quiz, text) {
        const given = tidy(quiz, text);
        return given.split(" ").length < 3 ? refuse(quiz, "brief") : given;
      },
      near(quiz, answer, right, [points, model]) {
        const boxes = points.map((point) => make("label", {}, make("input", { type: "checkbox" }), " ", ...prose(point)));
        const set = make("fieldset", {}, make("legend", {}, "My answer says that"), ...boxes);
        set.addEventListener("change", () => {
          const ticked = set.querySelectorAll("input:checked").length;
          if (ticked === points.length) quiz.answered();
          quiz.tell(ticked + " of " + count(points.length, "point") + ".", ticked === points.length ? "right" : "open");
        });
        quiz.points.replaceChildren(set, make("p", {}, "In full: ", ...prose(model)));
        quiz.points.hidden = false;
        return quiz.say("compare");
      },
    },
  };

  /* --- The elements --------------------------------------------------------------------------- */

  class Quiz extends bytewalk.Element {
    build() {
      this.data = JSON.parse(turn(this.dataset.quiz));
      this.kind = KINDS[this.data.kind];
      this.details = this.querySelector("details");
      this.querySelectorAll(":scope > .bw-listed, :scope > pre").forEach((node) => node.remove());
      const done = make("span", { class: "bw-done" });
      this.firstElementChild.prepend(done);
      this.fields = make("div");
      this.hints = make("ol", { class: "bw-hints", "aria-live": "polite" });
      this.status = make("p", { role: "status" });
      this.hint = make("button", { type: "button" }, "Hint");
      this.hint.addEventListener("click", () => this.nextHint());
      const form = make("form", { autocomplete: "off" }, this.fields, make("button", {}, "Check"), this.hint);
      form.addEventListener("submit", (event) => { event.preventDefault(); this.answer(this.value()); });
      form.addEventListener("keydown", (event) => {
        const lines = event.target.tagName === "TEXTAREA" && this.data.kind === "argument";
        if (event.key === "Enter" && event.target.tagName === "TEXTAREA" && !lines && !event.shiftKey) {
          event.preventDefault();
          form.requestSubmit();
        }
      });
      if (this.data.seeds.length > 1) {
        const another = make("button", { type: "button" }, "Another draw");
        this.which = make("span", { class: "bw-note" });
        another.addEventListener("click", () => this.show((this.drawn + 1) % this.data.seeds.length));
        form.append(another, this.which);
      }
      this.details.before(form, this.hints, this.status);
      this.show(0);
      watch(() => { done.textContent = kept.has(this.data.id) ? "\u2713 answered" : ""; });
    }

    /* Shows draw i of those that the element carries. */
    show(i) {
      this.drawn = i;
      [this.prompt, this.steps, this.right, this.why, this.slips, this.tips, this.extra] = unpack(this.data.draws, i);
      this.querySelector(".bw-ask").replaceChildren(...prose(this.prompt));
      this.details.open = false;
      this.details.querySelector("ol").replaceChildren(...this.steps.map((step) => make("li", {}, ...prose(step))));
      this.fields.replaceChildren(...this.kind.form(this, this.extra));
      this.hints.replaceChildren();
      this.hint.hidden = !this.tips.length;
      if (this.which) this.which.textContent = "Draw " + (i + 1) + " of " + this.data.seeds.length;
      this.tell("", "");
    }

    nextHint() {
      const given = this.hints.children.length;
      this.hints.append(make("li", {}, ...prose(this.tips[given])));
      this.hint.hidden = given + 1 === this.tips.length;
    }

    say(name, words = {}) {
      return this.data.say[name].replace(/\{(\w+)\}/g, (all, word) => words[word]);
    }

    tell(text, state) {
      this.status.replaceChildren(...prose(text));
      this.status.dataset.state = state;
    }

    answered() {
      kept.add(this.data.id);
    }

    /* Tells what is to be said of an answer, and returns it. */
    answer(text) {
      const [said, state] = this.judge(text);
      this.tell(said, state);
      if (state === "right") this.answered();
      return said;
    }

    judge(text) {
      let given;
      try {
        given = this.kind.read(this, text);
      } catch (error) {
        if (error instanceof Unreadable) return [error.message, "wrong"];
        throw error;
      }
      if (this.data.kind === "argument") return [this.kind.near(this, given, "", this.extra), "open"];
      if (given === this.right) return [this.say("right", { why: this.why }), "right"];
      const plain = (answer) => (this.data.kind === "bytes" ? answer.replace(/ /g, "") : answer);
      const slip = this.slips.find(([answer]) => plain(answer) === given);
      return [slip ? slip[1] : this.kind.near(this, given, this.right, this.extra), "wrong"];
    }
  }
  customElements.define("bw-quiz", Quiz);

  class Progress extends bytewalk.Element {
    build() {
      const items = [...this.querySelectorAll("[data-question]")];
      const marks = items.map((item) => item.appendChild(make("span")));
      const line = make("p", { role: "status" });
      const clear = make("button", { type: "button" }, "Clear my progress");
      clear.addEventListener("click", () => kept.clear());
      this.prepend(line, clear);
      watch(() => {
        items.forEach((item, i) => { marks[i].textContent = kept.has(item.dataset.question) ? "\u2713 answered" : ""; });
        const n = marks.filter((mark) => mark.textContent).length;
        line.textContent = n + " of " + count(items.length, "question") + " answered, kept on this machine only.";
      });
    }
  }
  customElements.define("bw-progress", Progress);
})();
