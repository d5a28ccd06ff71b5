import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlainName } from './plain-name.ts';

test('people have names of all kinds', () => {
  const names = [
    ...['Anna Müller', "Seán O'Brien", 'Łukasz Żak', 'Jean-Luc 2', 'Zoë', '', 'desk@example.com'],
    ...['Анна Петрова', 'Γιώργος', '山田 太郎', 'タロウ', '김민수', 'محمد علی', 'می‌خواهم', 'नमस्ते'],
    // A word in each alphabet, as firms write it, and two marks on one letter.
    ...['Анна Smith', 'ООО «Desk»', 'Nguyễn Thị', 'Nguye\u0302\u0303n'],
    // Signs and Chinese letters with a form, and signs made of letters.
    ...['Desk ❤\uFE0F', '葛\u{E0100}城', 'Mª José № 2™'],
  ];
  for (const name of names) assert.equal(isPlainName(name), true, name);
});

test('names that look like others are refused', () => {
  const names = {
    'a Cyrillic letter among Latin ones': 'Аnna',
    'a Greek one': 'Αnna',
    'a Latin one among Cyrillic ones': 'Aнна',
    'across digits, in an address': 'pаyments@example.com',
    'a mark that turns the direction': 'Anna\u202Egnp',
    'a mark of direction': 'Anna\u200F',
    'a space of no width': 'An\u200Bna',
    'a soft hyphen': 'An\u00ADna',
    'a joiner between Latin letters': 'An\u200Dna',
    'a filler that is not seen': 'Anna\u3164',
    'a pattern of dots without dots': 'Anna\u2800',
    'a mark between letters that is not seen': 'A\u034Fnna',
    'a mark of the form of a letter': 'Anna\uFE0F',
    'a numeral in the shape of a letter': 'ⅼena',
    'a long letter': 'ſam',
    'wide letters': 'Ａnna',
    'the sign of Kelvin': '\u212Aarl',
    'joined letters': 'Ste\uFB00i',
    'letters of mathematics': '𝐀nna',
    'a new line': 'Anna\nBen',
  };
  for (const [what, name] of Object.entries(names)) assert.equal(isPlainName(name), false, what);
});
