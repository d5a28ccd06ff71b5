import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keepPlaces } from './steady.ts';

type Row = { id: string; text: string };
const rows = (...ids: readonly string[]): Row[] => ids.map((id) => ({ id, text: `${id} now` }));
const idOf = ({ id }: Row): string => id;
const before: Row[] = ['c', 'b', 'a'].map((id) => ({ id, text: `${id} then` }));
const placesOf = (kept: readonly Row[]): string => kept.map(idOf).join('');

it('keeps every row at its place whatever comes before or between', () => {
  assert.equal(placesOf(keepPlaces(before, rows('e', 'd', 'a', 'x', 'c', 'b'), idOf)), 'cba');
});

it('shows the newest content of those that are still listed, and the last of those that left', () => {
  const kept = keepPlaces(before, rows('c', 'a'), idOf);
  assert.deepEqual(
    kept.map(({ text }) => text),
    ['c now', 'b then', 'a now'],
  );
});

it('adds what follows the last row, which moves none', () => {
  assert.equal(placesOf(keepPlaces(before, rows('d', 'c', 'b', 'a', 'z', 'y'), idOf)), 'cbazy');
});

it('does not add at the end what came to a list of which nothing is left', () => {
  assert.equal(placesOf(keepPlaces(before, rows('f', 'e'), idOf)), 'cba');
});
