/* Bytewalk's one script: what needs no live Python. It acts on the semantic HTML that the outputs
   carry, in page and Lab alike; without it everything stays readable. Safe to run any number of
   times: Lab runs it once per output. */
(() => {
  "use strict";
  if (!window.customElements || customElements.get("bw-predict")) return;

  /* Predict, then reveal: the answer is locked until a guess is committed. */
  class Predict extends HTMLElement {
    connectedCallback() {
      if (this.form) return;
      // The parser may announce the element before its children; wait until they are there.
      if (!this.querySelector("details")) { setTimeout(() => this.connectedCallback(), 0); return; }
      // Lab has shortcuts of one letter; it must not see what is typed anywhere in a question.
      this.addEventListener("keydown", (event) => event.stopPropagation());
      this.details = this.querySelector("details");
      this.list = this.querySelector(".bw-choices");
      this.details.hidden = true;
      this.details.open = false;
      this.form = this.buildForm();
      this.status = document.createElement("p");
      this.status.className = "bw-given";
      this.status.setAttribute("role", "status");
      this.details.before(this.form, this.status);
      if (this.list) this.list.hidden = true;
    }

    buildForm() {
      const form = document.createElement("form");
      form.autocomplete = "off";
      if (this.list) {
        const set = document.createElement("fieldset");
        const legend = document.createElement("legend");
        legend.textContent = "Your guess";
        set.append(legend);
        Predict.count = (Predict.count || 0) + 1;
        for (const item of this.list.children) {
          const label = document.createElement("label");
          const radio = document.createElement("input");
          radio.type = "radio";
          radio.name = "bw-guess-" + Predict.count;
          radio.value = item.textContent.trim();
          label.append(radio, " ", ...[...item.childNodes].map((node) => node.cloneNode(true)));
          set.append(label);
        }
        form.append(set);
      } else {
        const label = document.createElement("label");
        const input = document.createElement("input");
        input.type = "text";
        input.spellcheck = false;
        label.append("Your guess: ", input);
        const unit = this.dataset.unit;
        if (unit) label.append(" " + unit);
        form.append(label);
      }
      const commit = document.createElement("button");
      commit.type = "submit";
      commit.textContent = "Commit my guess";
      const skip = document.createElement("button");
      skip.type = "button";
      skip.textContent = "I do not know, show me";
      skip.addEventListener("click", () => this.reveal(null));
      form.append(commit, skip);
      form.addEventListener("submit", (event) => { event.preventDefault(); this.commit(); });
      return form;
    }

    commit() {
      const chosen = this.form.querySelector("input:checked, input[type=text]");
      const guess = chosen ? chosen.value.trim() : "";
      if (!guess) {
        this.status.textContent = "Commit to something first; a wrong guess teaches as well as a right one.";
        return;
      }
      const bare = !this.list && /^[\d.,\s-]+$/.test(guess) && this.dataset.unit;
      this.reveal(guess, bare ? guess + " " + this.dataset.unit : guess);
    }

    reveal(guess, said) {
      this.status.textContent = guess === null ? "No guess this time." : "You said: " + said;
      const again = document.createElement("button");
      again.type = "button";
      again.textContent = "Hide it and guess again";
      again.addEventListener("click", () => this.reset());
      this.status.append(" ", again);
      this.form.hidden = true;
      if (this.list) {
        for (const item of this.list.children) {
          item.classList.toggle("bw-mine", item.textContent.trim() === guess);
        }
        this.list.hidden = false;
      }
      this.details.hidden = false;
      this.details.open = true;
      this.details.querySelector("summary").focus({ preventScroll: true });
    }

    reset() {
      this.status.textContent = "";
      if (this.list) this.list.hidden = true;
      this.details.hidden = true;
      this.details.open = false;
      this.form.hidden = false;
      this.form.reset();
      this.form.querySelector("input").focus({ preventScroll: true });
    }
  }
  customElements.define("bw-predict", Predict);

  /* The line-up: radio switches over recorded runs; says what the last turn changed. */
  class Lineup extends HTMLElement {
    connectedCallback() {
      if (this.panel) return;
      if (!this.querySelector("details")) { setTimeout(() => this.connectedCallback(), 0); return; }
      Object.assign(this, JSON.parse(this.dataset.lineup));
      this.runs = [...this.querySelectorAll("tr[data-run]")].map((row) => JSON.parse(row.dataset.run));
      this.addEventListener("keydown", (event) => event.stopPropagation());
      this.current = this.runs[0];
      this.panel = document.createElement("div");
      this.panel.append(...this.switches.map((name) => this.buildSwitch(name)));
      this.result = document.createElement("div");
      this.said = document.createElement("p");
      this.said.setAttribute("role", "status");
      this.panel.append(this.result, this.said);
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
