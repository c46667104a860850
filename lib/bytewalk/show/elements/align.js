(() => {
  "use strict";
  if (!window.customElements || customElements.get("bw-align")) return;

  const HINT = "Point at a field or tap it, or walk with the arrow keys; Escape lets go. " +
    "In the strips above, a byte has the same width in every format.";
  const count = (n) => n.toLocaleString("en") + (n === 1 ? " byte" : " bytes");

  /* Formats side by side: a field lights up in all of them, in the table and in the strips. */
  class Align extends bytewalk.Element {
    build() {
      this.pane = this.querySelector(".bw-scroll");
      this.table = this.pane.querySelector("table");
      this.rows = [...this.table.tBodies[0].rows];
      this.formats = [...this.table.tHead.rows[0].cells].slice(2).map((cell) => cell.textContent);
      this.cells = this.rows.map((row) => [...row.cells].slice(2).map((cell) => this.read(cell)));
      const first = this.pane.querySelector("td[data-at]");
      if (!first) return;
      this.strips = document.createElement("div");
      this.strips.className = "bw-strips";
      this.strips.setAttribute("aria-hidden", true);
      this.strips.append(...this.formats.flatMap((name, column) => this.strip(name, column)));
      this.where = document.createElement("p");
      this.where.className = "bw-where";
      this.pane.before(this.strips);
      this.pane.after(this.where);
      this.pane.classList.add("bw-linked");
      this.pane.removeAttribute("tabindex");
      first.tabIndex = 0;
      this.addEventListener("pointerover", (event) => {
        const n = this.placeOf(event.target);
        if (n >= 0 && event.pointerType !== "touch") this.light(n);
      });
      this.addEventListener("pointerleave", () => this.light(this.focused));
      this.addEventListener("focusin", (event) => {
        this.focused = this.placeOf(event.target);
        event.target.setAttribute("aria-description", this.say(this.focused));
        this.light(this.focused);
      });
      this.addEventListener("focusout", () => this.light((this.focused = -1)));
      this.addEventListener("click", (event) => this.choose(event.target));
      this.addEventListener("keydown", (event) => {
        if (this.key(event)) event.preventDefault();
      });
      this.light((this.focused = -1));
    }

    /* Where a cell's bytes stand, and how many they are; a long text shows only its first three. */
    read(cell) {
      if (!cell.dataset.at) return null;
      const text = cell.textContent;
      const long = /\(([\d,]+) bytes\)/.exec(text);
      const size = long ? +long[1].replaceAll(",", "") : text.split(" ").length;
      return { cell, start: +cell.dataset.at, size };
    }

    /* One message, drawn to scale; the longest fills the width. */
    strip(name, column) {
      const fields = this.cells.map((row) => row[column]);
      const total = (at) => this.cells.reduce((sum, row) => sum + (row[at] ? row[at].size : 0), 0);
      const most = Math.max(...this.formats.map((_, at) => total(at)));
      const strip = document.createElement("div");
      strip.className = "bw-strip";
      strip.style.width = (100 * total(column)) / most + "%";
      const inOrder = fields.map((field, n) => ({ field, n })).filter(({ field }) => field);
      for (const { field, n } of inOrder.sort((a, b) => a.field.start - b.field.start)) {
        field.part = document.createElement("span");
        field.part.className = field.cell.firstChild.className.replace("bw-run ", "");
        field.part.style.flex = field.size + " 0 0";
        field.part.dataset.row = n;
        strip.append(field.part);
      }
      const label = document.createElement("span");
      label.textContent = name + ", " + total(column);
      return [label, strip];
    }

    /* The number of the row that an element belongs to, or stands for. */
    placeOf(element) {
      return element.dataset.row ? +element.dataset.row : this.rows.indexOf(element.closest("tr"));
    }

    light(n) {
      if (n === this.lit) return;
      for (const [row, on] of [[this.lit, false], [n, true]]) {
        if (!(row >= 0)) continue;
        this.rows[row].classList.toggle("bw-lit", on);
        for (const field of this.cells[row]) if (field) field.part.classList.toggle("bw-lit", on);
      }
      this.lit = n;
      this.where.textContent = n >= 0 ? this.say(n) : HINT;
      if (n >= 0 && !this.pane.matches(":hover")) this.show(this.rows[n]);
    }

    /* Scrolls within the pane, never the page. */
    show(row) {
      const { pane, table } = this;
      const { top, bottom } = row.getBoundingClientRect();
      const view = pane.getBoundingClientRect();
      const above = top - view.top - table.tHead.offsetHeight;
      const below = bottom - view.bottom + table.tFoot.offsetHeight;
      pane.scrollTop += above < 0 ? above : Math.max(below, 0);
    }

    say(n) {
      const [path, role] = [...this.rows[n].cells[0].children].map((part) => part.textContent);
      const places = this.cells[n].map((field, column) => this.formats[column] +
        (field ? " " + count(field.size) + " at " + field.start : " nothing"));
      return `${path ? path + ", " : ""}${role} ${this.rows[n].cells[1].textContent}: ${places.join("; ")}.`;
    }

    choose(target) {
      const n = this.placeOf(target);
      if (n < 0) return;
      const cell = target.closest("td[data-at]");
      this.go(cell || this.cells[n].find(Boolean).cell, true);
    }

    go(cell, preventScroll) {
      if (!cell) return false;
      this.pane.querySelector("[tabindex='0']").tabIndex = -1;
      cell.tabIndex = 0;
      cell.focus({ preventScroll });
      return true;
    }

    key({ key, target }) {
      if (key === "Escape") {
        this.light(-1);
        return false;
      }
      const n = this.rows.indexOf(target.parentElement);
      const column = target.cellIndex - 2;
      if (n < 0) return false;
      const up = [...this.cells.slice(0, n)].reverse();
      const found = {
        ArrowDown: () => this.cells.slice(n + 1).find((row) => row[column]),
        ArrowUp: () => up.find((row) => row[column]),
        Home: () => this.cells.find((row) => row[column]),
        End: () => [...this.cells].reverse().find((row) => row[column]),
      }[key];
      if (found) return this.go(found()?.[column].cell);
      const beside = {
        ArrowRight: this.cells[n].slice(column + 1),
        ArrowLeft: this.cells[n].slice(0, column).reverse(),
      }[key];
      return beside ? this.go(beside.find(Boolean)?.cell) : false;
    }
  }
  customElements.define("bw-align", Align);
})();
