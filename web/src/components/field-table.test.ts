import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createElement } from 'react';
import { type FieldTable, obstacleIn } from './field-table.ts';

type Order = { symbol: string; volume: string; price: string; limit: string };

const words = String;
const tableOf = (fault?: string): FieldTable<Order> => [
  createElement('p', { key: 'words' }, 'An order'),
  { name: 'symbol', label: 'Symbol', fault },
  { name: 'volume', label: 'Volume', rules: { min: 0.01 }, words, required: true },
  false,
  { summary: 'More', fields: [{ name: 'price', label: 'Price', rules: { min: 0 }, words }] },
];
const typed: Order = { symbol: '', volume: '1', price: '', limit: 'no field has it' };

describe('a form that is a table of fields', () => {
  it('is sent once each number can be read, and what is required is there', () => {
    assert.equal(obstacleIn(tableOf(), typed), undefined);
    assert.equal(obstacleIn(tableOf(), { ...typed, price: '1.5' }), undefined);
  });

  it('is kept while a number can’t be read, or is missing, in folded parts too', () => {
    for (const wrong of [{ volume: '' }, { volume: 'one' }, { volume: '0' }, { price: '1:2' }]) {
      assert.match(obstacleIn(tableOf(), { ...typed, ...wrong }) ?? '', /^A number can’t be read/);
    }
  });

  it('is kept while a field says what is wrong with its text', () => {
    assert.match(obstacleIn(tableOf('It is too long.'), typed) ?? '', /^A field can’t be read/);
  });
});
