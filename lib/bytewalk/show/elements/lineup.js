(() => {
  "use strict";
  if (!window.customElements || customElements.get("bw-lineup")) return;

  /* The line-up: radio switches over recorded runs; says what the last turn changed. */
  class Lineup extends bytewalk.Element {
    build() {
      Object.assign(this, JSON.parse(this.dataset.lineup));
      this.runs = [...this.querySelectorAll("tr[data-run]")].map((row) => JSON.parse(row.dataset.run));
      this.current = this.runs[0];
      this.panel = document.createElement("div");
      this.panel.append(...this.switches.map((name) => this.buildSwitch(name)));
      this.result = document.createElement("div");
      this.said = document.createElement("p");
      this.said.setAttribute("role", "status");
      this.panel.append(this.result, this.said);
      this.explain();
      const all = this.querySelector("details");
      all.open = false;
      all.before(this.panel);
      this.show();
    }

    buildSwitch(name) {
      Lineup.count = (Lineup.count || 0) + 1;
      const set = document.createElement("fieldset");
      const legend = document.createElement("legend");
      legend.textContent = name;
      set.append(legend);
      for (const value of new Set(this.runs.map((run) => run[name]))) {
        const label = document.createElement("label");
        const radio = document.createElement("input");
        radio.type = "radio";
        radio.name = "bw-switch-" + Lineup.count;
        radio.checked = this.current[name] === value;
        radio.addEventListener("change", () => this.turn(name, value));
        label.append(radio, " " + value);
        set.append(label);
      }
      return set;
    }

    /* Each note says what the mark on the bars is that it belongs to. */
    explain() {
      const marks = [
        ...(Object.keys(this.reference).length ? ["Dashed line"] : []),
        ...Object.keys(this.noise).map(() => "Grey bracket"),
      ];
      this.querySelectorAll(".bw-note").forEach((note, i) => {
        const mark = document.createElement("strong");
        mark.textContent = marks[i] + ". ";
        note.prepend(mark);
      });
    }

    turn(name, value) {
      this.wanted = { ...(this.wanted || this.current), [name]: value };
      const next = this.runs.find((run) => this.switches.every((s) => run[s] === this.wanted[s]));
      if (!next) {
        this.said.textContent = "This combination was not recorded.";
        return;
      }
      const before = this.current;
      this.current = this.wanted = next;
      this.show();
      this.said.textContent = "Since the last run: " + Object.entries(this.measures)
        .map(([measure, unit]) => this.change(measure, unit, before[measure], next[measure]))
        .join(", ") + ".";
    }

    change(measure, unit, before, after) {
      const share = (after - before) / before;
      if (Math.abs(share) <= (this.noise[measure] || 0)) return "no difference seen in " + measure;
      const sign = after < before ? "\u2212" : "+";
      const amount = Math.abs(after - before).toLocaleString("en", { maximumFractionDigits: 1 });
      return sign + amount + " " + unit + " (" + sign + Math.abs(100 * share).toFixed(0) + " %)";
    }

    show() {
      this.result.replaceChildren(...Object.entries(this.measures).map(([measure, unit]) => {
        const most = Math.max(this.reference[measure] || 0, ...this.runs.map((run) => run[measure]));
        const row = document.createElement("div");
        row.className = "bw-gauge";
        const bar = document.createElement("span");
        bar.className = "bw-bar";
        bar.style.width = (100 * this.current[measure] / most) + "%";
        const track = document.createElement("span");
        track.className = "bw-track";
        track.append(bar);
        if (this.noise[measure]) {
          const noise = document.createElement("span");
          const share = Math.min(this.noise[measure], 1);
          noise.className = "bw-noise";
          noise.title = "noise";
          noise.style.left = (100 * this.current[measure] * (1 - share) / most) + "%";
          noise.style.width = (200 * this.current[measure] * share / most) + "%";
          track.append(noise);
        }
        if (this.reference[measure]) {
          const mark = document.createElement("span");
          mark.className = "bw-mark";
          mark.style.left = (100 * this.reference[measure] / most) + "%";
          track.append(mark);
        }
        const text = document.createElement("span");
        text.textContent = this.current[measure].toLocaleString("en") + " " + unit;
        row.append(text, track);
        return row;
      }));
    }
  }
  customElements.define("bw-lineup", Lineup);
})();
