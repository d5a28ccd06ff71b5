/** Shows the parts with all words of the search field, and the links to them. */
const field = document.querySelector('input[type=search]');
const links = document.querySelectorAll('nav li');
let sections;

field.parentElement.hidden = false;
field.addEventListener('input', () => {
  sections ??= [...document.querySelectorAll('main section')].map((section) => ({
    section,
    text: section.textContent.toLowerCase(),
  }));
  const words = field.value.toLowerCase().split(/\s+/);
  for (const { section, text } of sections) {
    section.hidden = !words.every((word) => text.includes(word));
  }
  for (const link of links) {
    link.hidden = document.querySelector(link.firstChild.hash).hidden;
  }
});
