(() => {
  "use strict";
  if (!window.customElements || customElements.get("bw-dump")) return;

  /* What is said about the chosen byte. `describe` fills the slots: code, span and td, in order. */
  const PANEL = `<div class="bw-details" role="group" aria-label="Details"><p class="bw-hint">
    Point at a byte or tap it. Arrow keys walk bytes, Tab walks fields; Enter pins or follows a
    pointer, Backspace goes back; Escape lets go, then Tab leaves.</p>
    <div class="bw-facts"><p><code></code> <span></span> <span class="bw-pin"></span>
    <p><span></span> <code></code> <span></span><p><span></span>
    <table><tr><td><th>u8<th>i8<th>text, bits<th>u16<th>u32<th>u64
    <tr>${"<td>".repeat(7)}<tr>${"<td>".repeat(7)}</table></div></div>
    <div class="bw-actions">${"<button type=button></button>".repeat(4)}<span role="status"></span></div>`;

  const count = (n) => n.toLocaleString("en") + (n === 1 ? " byte" : " bytes");
  const extent = (start, end) => start + (end - start > 1 ? "–" + (end - 1) : "");
  const UNREAD = { path: "", kind: "not read", value: "", rule: "", inside: [] };
  const textOf = (element) => element.textContent;

  /* "items[3].sku" stands inside "items[3]", and that inside "items". */
  const PIECE = /(^|\.)[^.[]+|\[('(\\.|[^'\\])*'|"(\\.|[^"\\])*"|[^\]]*)\]/g;
  const prefixes = (path) => {
    let prefix = "";
    return (path.match(PIECE) || []).map((piece) => (prefix += piece));
  };

  /* The dump: bytes, fields and details point at each other. What it says it reads off the table. */
  class Dump extends bytewalk.Element {
    build() {
      const grid = (this.grid = this.querySelector(".bw-grid"));
      const table = (this.table = this.querySelector("table"));
      const cells = (this.cells = [...grid.querySelectorAll(".bw-b")]);
      if (!cells.length) return;
      this.places = new Map(cells.map((cell, at) => [cell, at]));
      this.owner = [];
      this.trail = [];
      const rows = (this.rows = [...table.tBodies[0].rows]);
      this.fields = rows.map((row) => this.read(row)).sort((a, b) => a.start - b.start);
      cells.forEach((_, at) => (this.owner[at] ??= { ...UNREAD, start: at, end: at + 1 }));
      this.buildPanel();
      for (const cell of cells) cell.setAttribute("role", "gridcell");
      for (const stop of [...cells, ...rows]) stop.tabIndex = -1;
      this.panes = [grid.parentElement, table.parentElement];
      for (const pane of this.panes) pane.classList.add("bw-pane");
      this.panes[0].removeAttribute("aria-hidden");
      cells[0].tabIndex = 0;
      if (rows.length) this.panes[1].removeAttribute("tabindex");
      if (rows.length) rows[0].tabIndex = 0;
      const on = (type, act) => this.addEventListener(type, act);
      on("pointerover", ({ target, pointerType }) => {
        const hover = pointerType === "touch" ? -1 : this.placeOf(target);
        if (hover >= 0) this.set({ hover });
      });
      on("pointerleave", () => this.set({ hover: -1 }));
      on("focusin", ({ target }) => this.enter(target));
      on("focusout", ({ relatedTarget }) => {
        if (!this.contains(relatedTarget)) this.set({ focused: -1 });
      });
      on("click", ({ target }) => this.choose(target));
      on("keydown", (event) => {
        if (this.key(event)) event.preventDefault();
      });
      this.clear();
    }

    read(row) {
      const [at, , path, role, value, rule] = [...row.cells].map(textOf);
      const { end, type = rule.match(/^[^,:]*/)[0] } = row.dataset;
      const kind = role + (type === "?" || type === role ? "" : ", " + type);
      const inside = prefixes(path);
      const field = { row, path, role, kind, value, rule, inside, start: +at, end: +end };
      for (let i = field.start; i < field.end; i++) this.owner[i] = field;
      const link = row.querySelector(".bw-to");
      const to = link && parseInt(textOf(link).slice(2), 10);
      if (link && this.cells[to]) {
        Object.assign(field, { to, link: textOf(link) });
        link.innerHTML = `<button type="button">${link.innerHTML}</button>`;
      }
      return field;
    }

    buildPanel() {
      const panel = document.createElement("div");
      panel.innerHTML = PANEL;
      this.details = panel.firstChild;
      this.slots = this.details.querySelectorAll("code, span, td");
      this.said = panel.querySelector("[role]:last-child");
      this.all = { start: 0, end: this.cells.length };
      this.buttons = panel.querySelectorAll("button");
      const { buttons, all } = this;
      buttons[0].onclick = () => this.copy(all);
      buttons[1].onclick = () => this.copy(this.last);
      buttons[2].onclick = () => this.jump(this.last);
      buttons[3].onclick = () => this.back();
      Dump.count = (Dump.count || 0) + 1;
      const hint = this.details.firstChild;
      hint.id = "bw-hint-" + Dump.count;
      this.grid.setAttribute("aria-describedby", hint.id);
      this.grid.parentElement.after(panel);
    }

    /* What is pinned goes before what is pointed at, and that before what has the focus. */
    set(change) {
      Object.assign(this, change);
      const at = [this.pinned, this.hover, this.focused].find((place) => place >= 0) ?? -1;
      const field = this.owner[at];
      if (at !== this.at) this.light(field, at);
      this.at = at;
      if (field) this.last = field;
      this.describe(at, field);
    }

    clear() {
      this.free = true;
      this.say("");
      this.set({ pinned: -1, hover: -1, focused: -1 });
    }

    pin(at) {
      const pinned = this.pinned === at ? -1 : at;
      this.set({ pinned });
      this.say(pinned < 0 ? "" : `Pinned: ${this.owner[at].path || this.owner[at].kind || "not read"}. Escape lets go.`);
    }

    say(text) {
      this.said.textContent = text;
    }

    light(field, at) {
      const { inside, to } = field || UNREAD;
      for (const other of this.fields) {
        let common = 0;
        while (common < inside.length && inside[common] === other.inside[common]) common++;
        const lit = other === field ? 3 : !common ? 0 : common < inside.length - 1 ? 1 : 2;
        const mark = lit + (other === this.owner[to] ? " to" : "");
        if (mark === (other.mark || "0")) continue;
        other.mark = other.row.dataset.lit = mark;
        for (let i = other.start; i < other.end; i++) this.cells[i].dataset.lit = mark;
      }
      if (field) this.show(this.cells[at], this.panes[0], 0);
      if (field?.row) this.show(field.row, this.panes[1], this.table.tHead.offsetHeight);
    }

    /* Scrolls within a pane, never the page. */
    show(part, pane, head) {
      if (pane.scrollHeight <= pane.clientHeight || pane.matches(":hover")) return;
      const { top, bottom } = part.getBoundingClientRect();
      const view = pane.getBoundingClientRect();
      pane.scrollTop += Math.min(top - view.top - head, 0) || Math.max(bottom - view.bottom, 0);
    }

    describe(at, field) {
      const { last, buttons, fields, trail, all } = this;
      ["Copy " + count(all.end), last && "Copy field", last?.link, trail.length && "Back"]
        .forEach((text, i) => Object.assign(buttons[i], { textContent: text, hidden: !text }));
      this.details.classList.toggle("bw-idle", !field);
      if (!field) return;
      const { path, kind, value, rule, start, end, inside } = field;
      const around = inside.slice(0, -1).reverse().map((outer) => {
        const parts = fields.filter((other) => other.inside.includes(outer));
        const places = parts.filter((part, i) => part.start !== parts[i - 1]?.end).length;
        const size = parts.reduce((sum, part) => sum + part.end - part.start, 0);
        const { start } = parts[0];
        return `${outer} (${places > 1 ? `${count(size)} in ${places} places` : extent(start, start + size)})`;
      });
      [
        path, kind, this.pinned < 0 ? "" : "pinned",
        count(end - start) + " at " + extent(start, end) + (value && ":"), value, rule && `(${rule})`,
        around.length ? "inside " + around.join(", ") : "", "from byte " + at, ...this.readings(at, end),
      ].forEach((text, slot) => (this.slots[slot].textContent = text));
    }

    /* The other readings of the bytes from here to the end of the field. */
    readings(at, end) {
      const bytes = Uint8Array.from(this.cells.slice(at, end), (cell) => parseInt(textOf(cell), 16));
      const view = new DataView(bytes.buffer);
      const wide = (little) => [16, 32, 64].map((bits) => bits > 8 * bytes.length ? "–"
        : view[`get${bits > 32 ? "Big" : ""}Uint${bits}`](0, little).toLocaleString("en"));
      let text = "–";
      try {
        text = JSON.stringify(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
        text = text.includes("\\") ? "–" : text.length > 16 ? text.slice(0, 14) + "…" : text;
      } catch { /* not UTF-8 */ }
      return ["little endian", "" + bytes[0], "" + view.getInt8(0), text, ...wide(true),
        "big endian", "", "", bytes[0].toString(2).padStart(8, "0"), ...wide(false)];
    }

    /* The byte that an element is, or that its row starts at; -1 for others. */
    placeOf(element) {
      const row = element.closest("tr[data-end]");
      return row ? +textOf(row.cells[0]) : this.places.get(element) ?? -1;
    }

    /* Of the bytes, and of the rows, the one that had the focus last can be reached by Tab. */
    enter(target) {
      const at = this.placeOf(target);
      if (at < 0) return;
      this.free = false;
      const { role, kind, path, value } = this.owner[at];
      const label = ["byte " + at, textOf(target), path ? role + " of " + path : role || kind, value];
      if (this.places.has(target)) target.setAttribute("aria-label", label.filter(Boolean).join(", "));
      if (target.localName !== "button") {
        target.closest(".bw-grid, tbody").querySelector("[tabindex='0']").tabIndex = -1;
        target.tabIndex = 0;
      }
      if (this.pinned >= 0 && this.pinned !== at) this.say("");
      this.set({ focused: at, hover: -1, pinned: this.pinned === at ? at : -1 });
    }

    choose(target) {
      const at = this.placeOf(target);
      if (at < 0) return;
      if (target.closest("button")) return this.jump(this.owner[at]);
      if (this.pinned === at) this.clear();
      else this.pin(at);
    }

    go(stop) {
      if (stop) stop.focus();
      return !!stop;
    }

    jump({ start, to }) {
      this.trail.push(start);
      this.say(`Followed from byte ${start}; Backspace goes back.`);
      return this.go(this.cells[to]);
    }

    back() {
      this.say("");
      return this.go(this.cells[this.trail.pop()]);
    }

    /* Whether the key meant something here. */
    key({ key, altKey, metaKey, ctrlKey, shiftKey, target }) {
      const { cells, rows, fields, free } = this;
      const at = this.placeOf(target);
      if (key === "Escape") return this.clear() || !free; // a second one is not ours
      if (key === "Enter" && (ctrlKey || shiftKey)) return false;
      if (key === "Backspace") return this.back();
      if (at < 0 || altKey || metaKey || target.localName === "button") return false;
      const field = this.owner[at];
      if (key === "Enter" && field.link) return this.jump(field);
      if (key === "Enter" || key === " ") return this.pin(at) || true;
      const byte = this.places.has(target);
      if (byte && key === "Tab") {
        const next = shiftKey ? fields.filter(({ end }) => end <= at).pop()
          : fields.find(({ start }) => start > at);
        return !free && next && this.go(cells[next.start]);
      }
      const stops = byte ? cells : rows;
      const n = stops.indexOf(target);
      const wide = !byte ? 1 : cells[8]?.offsetTop > cells[0].offsetTop ? 8 : 16;
      const line = byte && !ctrlKey;
      const Home = line ? n - (n % wide) : 0;
      const End = Math.min(line ? Home + wide : Infinity, stops.length) - 1;
      const beside = byte ? { ArrowRight: n + 1, ArrowLeft: n - 1 } : {};
      return this.go(stops[{ Home, End, ArrowDown: n + wide, ArrowUp: n - wide, ...beside }[key]]);
    }

    async copy({ start, end }) {
      const text = this.cells.slice(start, end).map(textOf).join(" ");
      let done = true;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // Without https there is no such clipboard: the old way.
        const before = document.activeElement;
        const area = document.createElement("textarea");
        area.value = text;
        this.said.append(area);
        area.select();
        done = document.execCommand("copy");
        before.focus({ preventScroll: true });
      }
      this.say(done ? count(end - start) + " copied as hex." : "Copying is not allowed here.");
    }
  }
  customElements.define("bw-dump", Dump);
})();
