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
  const on = (node, event, act) => { node.addEventListener(event, act); return node; };
  const button = (text, act, attributes) => on(make("button", { type: "button", ...attributes }, text), "click", act);
  /* Code is in backquotes. */
  const prose = (text) => text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));
  const fill = (node, text) => node.replaceChildren(...prose(text));
  const count = (n, noun = "byte") => n.toLocaleString("en-US") + " " + noun + (n === 1 ? "" : "s");
  const turn = (text) => text.replace(/[0-9]/g, (digit) => (Number(digit) + 5) % 10)
    .replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)));
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
  const page = new Map();
  const stored = (act) => {
    try { return act(localStorage); } catch { /* none here */ }
  };
  const changed = () => window.dispatchEvent(new Event("bw-quiz"));
  const kept = {
    mark: (id) => {
      const what = page.get(id) || stored((store) => store.getItem(KEY + id));
      return what ? "\u2713 " + what : "";
    },
    add(id, what) {
      page.set(id, what);
      stored((store) => store.setItem(KEY + id, what));
      changed();
    },
    clear() {
      page.clear();
      stored((store) => Object.keys(store).filter((key) => key.startsWith(KEY)).forEach((key) => store.removeItem(key)));
      changed();
    },
  };
  const watch = (show) => {
    on(window, "bw-quiz", show);
    on(window, "storage", show);
    show();
  };

  /* --- Reading an answer: the same as in answers.py -------------------------------------------- */

  class Unreadable extends Error {}
  const refuse = (quiz, name, words) => { throw new Unreadable(quiz.say(name, words)); };

  const SPACE = /[ \t\n\r\f\v\u00a0\u2000-\u200b\u202f\u3000\ufeff]+/g;
  const tidy = (quiz, text) => {
    if ([...text].length > 5000) refuse(quiz, "huge");
    text = text.replace(SPACE, " ").replace(/^[ `]+|[ `]+$/g, "");
    if (!text) refuse(quiz, "empty");
    return text.replace(/\u2212/g, "-").replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');
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
    if (stranger || !digits) refuse(quiz, "digit", { sign: stranger ? stranger[0].replace("`", "'") : part });
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
    text = text.replace(/^(?:bytes|bytearray)\( ?([\[(].*[\])]) ?\)$/, "$1");
    text = text.replace(/^(?:b(?=.[0-9a-fA-F]{2} ))?(["'])([0-9a-fA-Fx ,]+)\1$/, "$2");
    const quoted = text.match(/^b?(["'])(.*)\1$/);
    if (quoted) return literal(quiz, quoted[2]);
    if (text[0] === "-") refuse(quiz, "digit", { sign: "-" });
    text = text.replace(/\\x/g, " ");
    const list = text.match(/^(?:&|vec!)?[[({](.*)[\])}]$/);
    const parts = (list ? list[1] : text).split(/[ ,;:_|.-]+/).filter(Boolean);
    const decimal = list && (text.includes(",") || parts.length === 1) && parts.every((part) => /^(0x[0-9a-f]{1,2}|0|[1-9][0-9]{0,5})$/i.test(part));
    return parts.map((part) => (decimal ? listed : pairs)(quiz, part)).join("") || refuse(quiz, "empty");
  };

  const NUMBER = /^([+-]?) ?(?:0x([0-9a-f]{1,40})|([0-9]{1,3}(?:[,'_ ][0-9]{3}){1,13}|[0-9]{1,40})(?:[.,]([0-9]{1,40}))?) ?([a-z][a-z /]*)?\.?$/i;

  const readNumber = (quiz, text, unit = "", places = 0, hexadecimal = true) => {
    text = tidy(quiz, text);
    const found = text.match(NUMBER);
    const [, sign, base16, whole, behind = "", tail = ""] = found || [, , , , , "?"];
    if (!unit.replace(/ /g, "").startsWith(tail.replace(/ /g, "").toLowerCase())) refuse(quiz, /^[0-9a-f]+$/i.test(text) ? "decimal" : found ? "unit" : "number");
    if (base16 && !hexadecimal) refuse(quiz, "decimal");
    const digits = base16 ? BigInt("0x" + base16).toString() : whole.replace(/[^0-9]/g, "").replace(/^0+/, "");
    const fraction = behind.replace(/0+$/, "");
    if (fraction.length > places) refuse(quiz, places ? "places" : "whole", { places });
    const plain = (digits || "0") + (fraction && "." + fraction);
    return sign === "-" && plain !== "0" ? "-" + plain : plain;
  };

  const dashed = (text) => text.replace(/-/g, "\u2212");
  const at = (ends, byte) => ends.findIndex((end) => byte < end);

  /* --- The kinds: the form, how an answer is read, and what is said to one that is near -------- */

  let made = 0;
  const radios = () => "bw-choice-" + (made += 1);
  const typed = (quiz, legend, look = "bw-small", tag = "input") => {
    const field = make(tag, { class: look, spellcheck: "false", autocapitalize: "off" });
    if (tag === "input") field.type = "text";
    quiz.value = () => field.value;
    return make("label", {}, legend + " ", field);
  };

  const KINDS = {
    bytes: {
      form: (quiz) => [typed(quiz, "The bytes, in hexadecimal:", "bw-mono", "textarea")],
      read: readBytes,
      fields: ([ends], right) => ends.map((end, i) => right.slice(2 * (ends[i - 1] || 0), 2 * end)),
      near(quiz, answer, right, [ends, pieces, names]) {
        const label = (i) => names[at(pieces, i)], n = answer.length / 2, size = right.length / 2;
        if (n > size && answer.endsWith(right)) return quiz.say("front", { at: n - size, label: label(0) });
        /* A misconception need not have struck in every field. */
        const all = quiz.wrong.filter(([parts]) => parts.length === ends.length);
        const told = new Set();
        const walk = (slips, rest, field, first) => {
          if (field === ends.length) return rest || told.add(first);
          for (const [parts, says] of [[quiz.parts, ""], ...slips]) {
            const part = parts[field];
            if ((!says || part !== quiz.parts[field]) && rest.startsWith(part)) walk(slips, rest.slice(part.length), field + 1, first || says);
          }
        };
        all.forEach((slip) => walk([slip], answer, 0, ""));
        if (!told.size) walk(all, answer, 0, "");
        if (told.size === 1) return [...told][0];
        for (let i = 0; i < n && i < size; i += 1) {
          const [byte, theirs] = [answer, right].map((digits) => digits.substr(2 * i, 2));
          if (byte === theirs) continue;
          const code = parseInt(theirs, 16), letter = String.fromCharCode(code);
          const name = Number(byte) === code ? "tens" : byte === "0" + letter.toLowerCase() ? "letter" : "differs";
          return quiz.say(name, { at: i, byte, letter, code: theirs, label: label(i) });
        }
        if (n < size) return quiz.say("short", { bytes: count(n), label: label(n) });
        return quiz.say("long", { at: size, more: count(n - size) });
      },
    },
    number: {
      form(quiz, [unit]) {
        const label = typed(quiz, "Your answer:");
        if (unit) label.append(" " + unit);
        return [label];
      },
      read: (quiz, text) => readNumber(quiz, text, ...quiz.extra),
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
        const move = (item, up, pressed) => {
          const other = up ? item.previousElementSibling : item.nextElementSibling;
          if (!other) return;
          if (up) other.before(item); else other.after(item);
          pressed.focus();
          quiz.tell("Now in place " + ([...list.children].indexOf(item) + 1) + ".", "");
        };
        steps.forEach((step, i) => {
          const item = make("li", { "data-step": i + 1 });
          for (const [sign, words] of [["\u2191", "Move up: "], ["\u2193", "Move down: "]]) {
            item.append(button(sign, (event) => move(item, sign === "\u2191", event.currentTarget), { "aria-label": words + step.replace(/`/g, "") }));
          }
          item.append(...prose(step));
          list.append(item);
        });
        quiz.value = () => [...list.children].map((item) => item.dataset.step).join(" ");
        return [list];
      },
      read(quiz, text) {
        const most = quiz.extra[0].length;
        text = tidy(quiz, text);
        const numbers = text.match(/[0-9]/g) || [];
        const all = /^[0-9 ,;.>()[\]-]+$/.test(text) && [...numbers].sort().join("") === "123456789".slice(0, most);
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
        const label = typed(quiz, "First and last byte:"), field = label.lastChild;
        const cells = data.match(/../g).map((byte, i) => button(byte, (event) => press(i, anchor !== null && (open || event.shiftKey)), { tabindex: i ? -1 : 0, "aria-pressed": "false", "aria-label": "byte " + i + ", " + byte }));
        let anchor = null, from = null, open = false;
        const mark = () => {
          const [first, last = first] = (field.value.match(/[0-9]+/g) || [-1]).map(Number);
          cells.forEach((cell, i) => cell.setAttribute("aria-pressed", first <= i && i <= last));
        };
        /* A first click begins the range and the next one ends it; so do Shift and dragging. */
        const press = (i, end) => {
          open = !end;
          if (open) anchor = i;
          field.value = Math.min(anchor, i) + "-" + Math.max(anchor, i);
          mark();
          quiz.tell("", "");
        };
        on(field, "input", () => {
          mark();
          [anchor, open] = [null, false];
        });
        const grid = make("div", { class: "bw-bytes bw-mono", role: "group", "aria-label": "The bytes of the message" });
        cells.forEach((cell, i) => {
          on(cell, "pointerdown", () => { from = i; });
          on(cell, "pointerover", (event) => {
            if (event.pointerType !== "mouse" || !event.buttons || from === null || from === i) return;
            anchor = from;
            press(i, true);
          });
          on(cell, "keydown", (event) => {
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
          if (i % 8 === 0) grid.append(make("span", {}, String(i)));
          grid.append(cell);
        });
        return [grid, label];
      },
      read(quiz, text) {
        const found = tidy(quiz, text).match(/^(?:bytes? )?([0-9]{1,6})(?: ?(?:-|\u2013|\.\.|to) ?([0-9]{1,6}))?$/i);
        const [first, last] = found ? [found[1], found[2] || found[1]].map(Number) : [1, 0];
        if (first > last) refuse(quiz, "range");
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
        const label = typed(quiz, ""), field = label.lastChild;
        const words = make("span", {}, "The number: ");
        const set = make("fieldset", {}, make("legend", {}, "The decoder"));
        for (const [value, text, which] of [["accepted", "accepts them", asks], ["refused", "refuses them", "At byte, counted from 0"]]) {
          const radio = on(make("input", { type: "radio", name, value }), "change", () => fill(words, which + ": "));
          set.append(make("label", {}, radio, " " + text));
        }
        label.replaceChildren(words, field);
        quiz.value = () => (set.querySelector("input:checked") || { value: "" }).value + " " + field.value;
        return [set, label];
      },
      read(quiz, text) {
        const found = tidy(quiz, text).match(/^(accept|refuse|reject)(?:ed|d|s)?((?: |,|:|at|byte|offset|with|as|the|value)*)([+-]?[0-9].*)?$/i);
        if (!found) refuse(quiz, "verdict");
        const accepted = found[1].toLowerCase() === "accept";
        if (!found[3]) refuse(quiz, accepted ? "which" : "where");
        return (accepted ? "accepted " : "refused ") + readNumber(quiz, found[3]);
      },
      near(quiz, answer, right) {
        const [[mine, number], [theirs, byte]] = [answer, right].map((verdict) => verdict.split(" "));
        if (mine !== theirs) return quiz.say(theirs === "accepted" ? "accepts" : "refuses");
        return quiz.say(mine === "accepted" ? "otherwise" : Number(number) < byte ? "further" : "earlier", { number: dashed(number) });
      },
    },
    argument: {
      form(quiz) {
        quiz.points = make("div");
        return [typed(quiz, "Your answer:", "", "textarea"), quiz.points];
      },
      read(quiz, text) {
        text = tidy(quiz, text);
        return text.split(" ").length < 5 ? refuse(quiz, "brief") : text;
      },
      near(quiz, answer, right, [points, model]) {
        if (quiz.points.firstChild) return quiz.say("compare");
        const boxes = points.map((point) => make("label", {}, make("input", { type: "checkbox" }), " ", ...prose(point)));
        const set = make("fieldset", {}, make("legend", {}, "My answer says that"), ...boxes);
        on(set, "change", () => {
          const ticked = set.querySelectorAll("input:checked").length;
          if (2 * ticked >= points.length) quiz.done();
          quiz.tell(ticked + " of " + count(points.length, "point") + ".", ticked === points.length ? "right" : "open");
        });
        quiz.points.append(set, make("p", {}, "In full: ", ...prose(model)));
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
      this.hint = button("Hint", () => this.nextHint());
      const form = make("form", { autocomplete: "off" }, this.fields, make("button", {}, "Check"), this.hint);
      on(form, "input", () => this.tell("", ""));
      on(form, "submit", (event) => { event.preventDefault(); this.answer(this.value()); });
      on(form, "keydown", (event) => {
        if (event.key === "Enter" && !event.shiftKey && event.target.matches("textarea.bw-mono")) {
          event.preventDefault();
          form.requestSubmit();
        }
      });
      const total = this.data.seeds.length;
      this.which = make("span", { class: "bw-note", "aria-live": "polite" });
      if (total > 1) form.append(button("Another draw", () => this.show((this.drawn + 1) % total)));
      form.append(" ", this.which);
      this.details.before(form, this.hints, this.status);
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", this.querySelector("strong").textContent);
      this.show(this.asked());
      watch(() => { done.textContent = kept.mark(this.data.id); });
    }

    /* The draw that a link asks for, as in page.html?seed=7#question-02-item; else the first. */
    asked() {
      const seed = location.hash === "#" + this.id && new URLSearchParams(location.search).get("seed");
      return Math.max(0, this.data.seeds.map(String).indexOf(seed));
    }

    /* Shows draw i of those that the element carries. */
    show(i) {
      const { draws, seeds } = this.data;
      this.drawn = i;
      [this.prompt, this.steps, this.right, this.why, this.slips, this.tips, this.extra] = unpack(draws, i);
      /* The right answer by its fields, and the wrong ones: "=" stands for a field that is right. */
      this.parts = this.kind.fields ? this.kind.fields(this.extra, this.right) : [];
      this.wrong = this.slips.map(([slip, says]) => [this.kind.fields ? slip.split(" ").map((part, i) => (part === "=" ? this.parts[i] : part)) : [slip], says]);
      fill(this.querySelector(".bw-ask"), this.prompt);
      this.details.open = false;
      this.details.querySelector("ol").replaceChildren(...this.steps.map((step) => make("li", {}, ...prose(step))));
      this.fields.replaceChildren(...this.kind.form(this, this.extra));
      this.hints.replaceChildren();
      this.hint.hidden = !this.tips.length;
      this.hints.hidden = true;
      this.which.textContent = this.data.id + (seeds.length > 1 ? `, seed ${seeds[i]}` : "");
      this.tell("", "");
    }

    nextHint() {
      const given = this.hints.children.length;
      const item = make("li", { tabindex: -1 }, ...prose(this.tips[given]));
      this.hints.append(item);
      this.hints.hidden = false;
      this.hint.hidden = given + 1 === this.tips.length;
      /* A button that is gone would take the focus with it. */
      if (this.hint.hidden) item.focus();
    }

    say(name, words = {}) {
      return this.data.say[name].replace(/\{(\w+)\}/g, (all, word) => words[word]);
    }

    tell(text, state) {
      fill(this.status, text);
      this.status.dataset.state = state;
    }

    done() {
      const { id, seeds } = this.data;
      kept.add(id, "answered" + (seeds.length > 1 ? `, seed ${seeds[this.drawn]}` : ""));
    }

    /* Tells what is to be said of an answer, and returns it. */
    answer(text) {
      const [said, state] = this.judge(text);
      this.tell(said, state);
      if (state === "right") this.done();
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
      const slip = this.wrong.find(([parts]) => parts.join("") === given);
      return [slip ? slip[1] : this.kind.near(this, given, this.right, this.extra), "wrong"];
    }
  }
  customElements.define("bw-quiz", Quiz);

  class Progress extends bytewalk.Element {
    build() {
      const items = [...this.querySelectorAll("[data-question]")];
      const marks = items.map((item) => item.appendChild(make("span")));
      const line = make("p", { role: "status" });
      this.prepend(line, button("Clear my progress", () => kept.clear()));
      watch(() => {
        items.forEach((item, i) => { marks[i].textContent = kept.mark(item.dataset.question); });
        const n = marks.filter((mark) => mark.textContent).length;
        line.textContent = n + " of " + count(items.length, "question") + " answered, kept on this machine only.";
      });
    }
  }
  customElements.define("bw-progress", Progress);
})();
