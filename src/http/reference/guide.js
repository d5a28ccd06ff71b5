/** Writes the reader's server and token into the samples, so that they run as they are. */
const field = document.querySelector('input[type=password]');
const samples = [...document.querySelectorAll('pre code')].map((sample) => ({
  sample,
  text: sample.textContent,
}));

function show() {
  for (const { sample, text } of samples) {
    sample.textContent = text
      .replaceAll('http://127.0.0.1:8787', location.origin)
      .replace(/^TOKEN=.*$/m, (line) => (field.value === '' ? line : `TOKEN=${field.value}`));
  }
}

field.parentElement.hidden = false;
field.addEventListener('input', show);
show();
