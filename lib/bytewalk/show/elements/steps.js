(() => {
  "use strict";
  if (!window.customElements || customElements.get("bw-steps")) return;

  const EXAMPLES = "Write it like -126, 70,000, 0xff or 2^31 - 1.";
  const say = (n) => n.toLocaleString("en");
  const shorten = (text) => (text.length > 60 ? text.slice(0, 57) + "..." : text);
  const count = (n, noun) => say(n) + " " + noun + (n === 1 ? "" : "s");
  const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

  const make = (tag, name, ...inside) => {
    const element = document.createElement(tag);
    element.className = name;
    element.append(...inside);
    return element;
  };

  /* A whole number as people write it: digits with separators, 0x..., 2^31 - 1. Else null. */
  const parse = (text) => {
    const clean = text.replace(/[\s,_]/g, "").replace(/[−–]/g, "-").replace("**", "^");
    const found = /^([+-]?)(0x[\da-f]{1,40}|\d{1,50})(\^\d{1,3})?([+-]\d{1,50})?$/i.exec(clean);
    if (!found || (found[4] && !found[3])) return null;
    const power = BigInt(found[2]) ** BigInt((found[3] || "^1").slice(1));
    return (found[1] === "-" ? -power : power) + BigInt((found[4] || "0").replace("+", ""));
  };

  /* What the encoder does for a value, by the table of its rule; each step is its kind, what is
     done, and the bytes so far. */
  const follow = (table, value) => {
    const rows = [];
    const written = [];
    const add = (kind, text, bytes = []) => {
      written.push(...bytes);
      rows.push([kind, text, bytes.length ? hex(written) : ""]);
    };
    const test = (kind, question, outcome) => {
      add(kind, question + (outcome ? " yes" : " no"));
      return outcome;
    };
    const store = (number, size) => {
      const bytes = Array.from({ length: size }, (_, i) => Number((number >> BigInt(8 * i)) & 255n));
      return table.order === "big" ? bytes.reverse() : bytes;
    };
    let n = value;
    if (table.zigzag) {
      n = value < 0n ? -2n * value - 1n : 2n * value;
      if (table.zigzag === "tested") test("sign test", `${say(value)} < 0?`, value < 0n);
      const how = table.zigzag === "shifted"
        ? `(${say(value)} << 1) ^ (${say(value)} >> ${table.bits - 1})` : value < 0n ? `-2 × ${say(value)} - 1` : `2 × ${say(value)}`;
      add("zigzag", `${how} = ${say(n)}`);
    }
    const most = table.below - 1;
    if (!table.below) {
      add("write", table.text, store(n, table.bits / 8));
    } else if (!table.markers) {
      const bits = table.below.toString(2).length - 1;
      for (let rest; rest !== 0n; n = rest) {
        rest = n >> BigInt(bits);
        const more = test("comparison", `${say(n)} > ${most}?`, rest > 0n);
        const group = Number(n & BigInt(most));
        add("group", `group ${group.toString(2).padStart(bits, "0")}, ${more ? "more follow" : "the last"}`,
          [group + (more ? table.below : 0)]);
      }
    } else if (test("comparison", `${say(n)} <= ${most}?`, n <= most)) {
      add("write", "the number itself", [Number(n)]);
    } else {
      const widest = table.markers.length - 1;
      const fits = ([, largest, size], i) => i === widest
        || test("comparison", `${say(n)} <= 2^${8 * size} - 1?`, n <= BigInt(largest));
      const [marker, , size] = table.markers.find(fits);
      add("write", `the marker for ${size} bytes`, [marker]);
      add("write", `the number in ${size} bytes`, store(n, size));
    }
    return rows;
  };

  const summary = (table, rows) => {
    const tally = (kind) => rows.filter((row) => row[0] === kind).length;
    const bytes = rows[rows.length - 1][2].split(" ").length;
    return `${count(tally("comparison"), "comparison")}, ${count(tally("sign test"), "sign test")}, ` +
      `${count(bytes, "byte")}; the fixed width would be ${count(table.bits / 8, "byte")}`;
  };

  /* One step after the other, forward and back. */
  class Steps extends bytewalk.Element {
    build() {
      const runs = [...this.querySelectorAll("details")];
      this.pane = this.querySelector(".bw-scroll");
      this.note = this.querySelector(".bw-note");
      this.status = make("p", "bw-step");
      this.status.setAttribute("role", "status");
      this.groups = make("p", "bw-groups bw-mono");
      this.controls = make("div", "bw-controls");
      this.buttons = [
        this.button("First", () => this.go(0)),
        this.button("Back", () => this.go(this.at - 1)),
        this.button("Forward", () => this.go(this.at + 1)),
        this.button("Last", () => this.go(Infinity)),
      ];
      this.controls.append(...this.buttons);
      if (runs.length) this.buildRuns(runs);
      this.body = this.pane.querySelector("tbody");
      this.pane.before(this.controls, this.status, this.groups);
      this.pane.classList.add("bw-walked");
      this.addEventListener("keydown", (event) => this.key(event));
      if (runs.length) {
        this.reserve();
        this.choose(0);
      } else this.start(this.read(this.pane), this.note.textContent, Infinity);
    }

    button(text, act) {
      const button = make("button", "", text);
      button.type = "button";
      button.addEventListener("click", act);
      return button;
    }

    /* Several values: one panel for all, and a field for the reader's own. */
    buildRuns(runs) {
      this.runs = runs;
      this.heading = make("p", "bw-title");
      this.pane = this.pane.cloneNode(true);
      this.note = this.note.cloneNode(true);
      this.chips = runs.map((run, i) => this.button(run.dataset.value, () => this.choose(i)));
      const panel = make("div", "bw-player", make("div", "bw-values", ...this.chips));
      if (this.dataset.table) {
        this.table = JSON.parse(this.dataset.table);
        this.input = make("input", "");
        Object.assign(this.input, { type: "text", spellcheck: false, maxLength: 80 });
        this.input.autocomplete = "off";
        const form = make("form", "", make("label", "", "Another value: ", this.input));
        const submit = make("button", "", "Step through it");
        this.trouble = make("p", "bw-trouble");
        this.trouble.setAttribute("role", "alert");
        Steps.count = (Steps.count || 0) + 1;
        this.trouble.id = "bw-trouble-" + Steps.count;
        this.input.setAttribute("aria-describedby", this.trouble.id);
        form.append(submit, this.trouble);
        form.addEventListener("submit", (event) => {
          event.preventDefault();
          this.typed();
        });
        panel.append(form);
      }
      panel.append(this.heading, this.pane, this.note);
      runs[0].before(panel);
      for (const run of runs) run.hidden = true;
      this.panel = panel;
    }

    /* As high as its highest run needs, so that a choice does not move the page. */
    reserve() {
      const heights = this.runs.map((_, i) => {
        this.choose(i);
        this.go(Infinity);
        return this.panel.offsetHeight;
      });
      this.panel.style.minHeight = Math.max(...heights) + "px";
    }

    read(part) {
      const rows = [...part.querySelectorAll("tbody tr")];
      return rows.map((row) => [...row.cells].map((cell) => cell.textContent));
    }

    choose(i) {
      const run = this.runs[i];
      if (this.trouble) this.trouble.textContent = "";
      if (this.input) this.input.removeAttribute("aria-invalid");
      this.chips.forEach((chip, j) => chip.setAttribute("aria-pressed", i === j));
      this.heading.textContent = run.querySelector("summary").textContent;
      this.start(this.read(run), run.querySelector(".bw-note").textContent, 0);
    }

    /* What is wrong with a typed text, or "". */
    complain(text, value) {
      const { type, low, high } = this.table;
      if (!text) return "No number yet. " + EXAMPLES;
      if (value === null) return `“${text}” is not a whole number. ${EXAMPLES}`;
      if (value >= BigInt(low) && value <= BigInt(high)) return "";
      const range = `${say(BigInt(low))} to ${say(BigInt(high))}`;
      return `${shorten(say(value))} does not fit ${type}, which holds ${range}.`;
    }

    typed() {
      const text = this.input.value.trim();
      const value = parse(text);
      const wrong = this.complain(text, value);
      this.trouble.textContent = wrong;
      this.input.setAttribute("aria-invalid", wrong !== "");
      if (wrong) return;
      for (const chip of this.chips) chip.setAttribute("aria-pressed", false);
      this.heading.textContent = `${say(value)} as ${this.table.type} in ${this.table.format}`;
      const rows = follow(this.table, value);
      this.start(rows, summary(this.table, rows), 0);
      this.buttons[2].focus({ preventScroll: true });
    }

    start(rows, note, at) {
      this.rows = rows;
      if (this.heading) this.pane.setAttribute("aria-label", "Steps: " + this.heading.textContent);
      this.note.textContent = note;
      this.body.replaceChildren(...rows.map((row) => make("tr", "", ...row.map((text, i) =>
        make("td", "", i && text ? make("code", "", text) : text)))));
      const digits = (text) => make("span", "", text.slice("group ".length, text.indexOf(",")));
      this.parts = rows.map(([kind, text], i) => [i, kind === "group" && digits(text)])
        .filter(([, part]) => part).reverse();
      this.groups.replaceChildren("In groups: ", ...this.parts.flatMap(([, part]) => [part, " "]));
      this.groups.hidden = !this.parts.length;
      this.go(at);
    }

    go(at) {
      const last = this.rows.length - 1;
      this.at = at = Math.max(0, Math.min(at, last));
      [...this.body.rows].forEach((row, i) => {
        row.classList.toggle("bw-later", i > at);
        if (i === at) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      });
      // The group at work is also set off by its mark, so not by colour alone.
      for (const [i, part] of this.parts) part.className = i < at - 1 ? "bw-done" : i <= at + 1 ? "bw-now" : "";
      this.note.classList.toggle("bw-later", at < last);
      const [kind, text, bytes] = this.rows[at];
      const next = this.rows[at + 1];
      const branch = !next ? " Done." : / (yes|no)$/.test(text) ? ` So next: ${next[0]}.` : "";
      const so_far = bytes && ` Bytes so far: ${bytes}.`;
      this.status.textContent = `Step ${at + 1} of ${last + 1}, ${kind}: ${text}.${so_far}${branch}`;
      this.buttons.forEach((button, i) => {
        button.setAttribute("aria-disabled", i < 2 ? at === 0 : at === last);
      });
      // Scrolls within the pane, never the page.
      const { offsetTop, offsetHeight } = this.body.rows[at];
      const { scrollTop, clientHeight } = this.pane;
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
        this.pane.scrollTop = offsetTop - clientHeight / 2;
      }
    }

    key(event) {
      if (event.target === this.input || event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: Infinity }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.go(to);
    }
  }
  Object.assign(Steps, { parse, follow, summary });
  customElements.define("bw-steps", Steps);
})();
