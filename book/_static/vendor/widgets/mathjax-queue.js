// Bytewalk's own, MIT. The widget manager asks for MathJax 2's queue; this hands its request to
// MathJax 3. Loaded before embed.js, so its listener runs before the widgets are drawn, and after
// MathJax, which is deferred. On a page without MathJax the widget manager does not ask.
window.addEventListener("load", () => {
  const { MathJax } = window;
  if (!MathJax?.startup) return;
  MathJax.Hub = {
    Queue([, , element]) {
      element.classList.add("mathjax_process"); // elsewhere the page says: no mathematics here
      MathJax.startup.promise = MathJax.startup.promise.then(() => MathJax.typesetPromise([element]));
    },
  };
});
