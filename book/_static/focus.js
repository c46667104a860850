/* The theme takes the focus from its buttons when they are clicked, so that somebody at the keyboard
   would start again at the top of the page. Here they keep it. */
document.addEventListener("DOMContentLoaded", () => {
  const buttons = ".theme-switch-button, .search-button, .primary-toggle, .secondary-toggle";
  for (const button of document.querySelectorAll(buttons)) button.blur = () => {};
});
