// Chooses the colours before anything is drawn, and keeps the choice: auto, light or dark.
(() => {
  "use strict";
  const KEY = "finassay-theme";
  const CHOICES = ["auto", "light", "dark"];
  const root = document.documentElement;

  const stored = () => {
    try {
      const kept = localStorage.getItem(KEY);
      return CHOICES.includes(kept) ? kept : "auto";
    } catch {
      return "auto"; // storage is forbidden: the system's choice holds
    }
  };

  const apply = (choice) => {
    if (choice === "auto") delete root.dataset.theme;
    else root.dataset.theme = choice;
  };

  const choose = (choice) => {
    apply(choice);
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // the choice holds for this page
    }
    document.dispatchEvent(new CustomEvent("finassay:theme", { detail: choice }));
  };

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => {
    for (const picker of document.querySelectorAll("[data-theme-picker]")) {
      picker.hidden = false;
      const select = picker.querySelector("select");
      select.value = stored();
      select.addEventListener("change", () => choose(select.value));
    }
  });
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    apply(stored());
    document.dispatchEvent(new CustomEvent("finassay:theme", { detail: stored() }));
  });
})();
