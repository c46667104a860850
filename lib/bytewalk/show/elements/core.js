/* What Bytewalk's elements share. They act on the semantic HTML that the outputs carry, in page and
   Lab alike; without scripts everything stays readable. Each script may run any number of times:
   Lab runs it once per output. */
(() => {
  "use strict";
  // A heading "Bytewalk" is window.bytewalk too, as every element with an id.
  if (!window.customElements || window.bytewalk?.Element) return;

  /* An element that builds itself once, when all that it holds is there. */
  class Element extends HTMLElement {
    connectedCallback() {
      if (this.built) return;
      // While the page is still coming in, the parser announces an element before its children.
      if (document.readyState === "loading") {
        document.addEventListener("DOMContentLoaded", () => this.connectedCallback(), { once: true });
        return;
      }
      this.built = true;
      // Lab has shortcuts of one letter; it must not see what is typed anywhere in an element.
      this.addEventListener("keydown", (event) => event.stopPropagation());
      this.build();
    }
  }
  window.bytewalk = { Element };
})();
