(() => {
  "use strict";
  if (!window.customElements || customElements.get("bw-predict")) return;

  /* Predict, then reveal: the answer is locked until a guess is committed. */
  class Predict extends bytewalk.Element {
    build() {
      this.details = this.querySelector("details");
      this.list = this.querySelector(".bw-choices");
      this.details.hidden = true;
      this.details.open = false;
      this.form = this.buildForm();
      this.given = document.createElement("p");
      this.given.className = "bw-given";
      this.status = document.createElement("span");
      this.status.setAttribute("role", "status");
      this.given.append(this.status);
      this.details.before(this.form, this.given);
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", this.firstElementChild.textContent);
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
      this.given.append(" ", again);
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
      this.given.replaceChildren(this.status);
      if (this.list) this.list.hidden = true;
      this.details.hidden = true;
      this.details.open = false;
      this.form.hidden = false;
      this.form.reset();
      this.form.querySelector("input").focus({ preventScroll: true });
    }
  }
  customElements.define("bw-predict", Predict);
})();
