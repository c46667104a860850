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
      if (!this.whole()) {
        setTimeout(() => this.isConnected && this.connectedCallback(), 30);
        return;
      }
      this.built = true;
      this.build();
      this.addEventListener("keydown", (event) => this.keep(event)); // after the element's own
    }

    /* Whether the parser is behind this element: something stands after it, or after what it is in. */
    whole() {
      let node = this;
      while (node && !node.nextSibling) node = node.parentNode;
      return node !== null || document.readyState !== "loading";
    }

    /* Lab has shortcuts of one letter: it must not see what is typed anywhere in an element. It gets
       what an element has no use for: save, search, run this cell; and Escape leads back to the cell. */
    keep(event) {
      const { key, shiftKey, target, defaultPrevented } = event;
      const chord = event.ctrlKey || event.metaKey;
      const typing = target.matches("textarea, input:not([type]), input[type=text]");
      const runs = key === "Enter" && (chord || (shiftKey && !typing));
      const edits = typing && "acvxyz".includes(key.toLowerCase());
      if (key === "Escape" && !defaultPrevented) this.closest(".jp-Cell")?.focus();
      if (!runs && (!chord || edits)) event.stopPropagation();
    }
  }
  window.bytewalk = { Element };
})();
