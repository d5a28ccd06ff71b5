import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { readNumber } from './read-number.ts';

const read = (text: string, locale = 'en', units: string[] = []) => {
  const reading = readNumber(text, { locale, units });
  return reading.kind === 'number' ? reading.value : reading.kind;
};

describe('a typed number', () => {
  it('has its thousands grouped as the locale groups them', () => {
    assert.equal(read('1,000'), 1000);
    assert.equal(read('1,234,567.5'), 1_234_567.5);
    assert.equal(read('1.000', 'de'), 1000);
    assert.equal(read('1’000.50', 'de-CH'), 1000.5);
    assert.equal(read('1 000,5', 'fr'), 1000.5);
    assert.equal(read('12,34,567', 'en-IN'), 1_234_567);
  });

  it('may be of another locale if unambiguous', () => {
    assert.equal(read('0,1'), 0.1);
    assert.equal(read('1,50'), 1.5);
    assert.equal(read('10.000,50'), 10_000.5);
    assert.equal(read('10,000.50', 'de'), 10_000.5);
    assert.equal(read('0.005', 'de'), 0.005);
  });

  it('is refused if ambiguous', () => {
    assert.equal(read('1.000', 'fr'), 'unreadable');
    const unclear = ['5k', '5 percent', '1,2,3', '10,00,0', '1,0000', '1.2.3', '1,23456'];
    const none = ['abc', '1e5', '0x10', '5%', '$5', '1..2', '5.', ',', '∞', '١', '--5', '.'];
    for (const text of [...unclear, ...none]) assert.equal(read(text), 'unreadable', text);
  });

  it('may have its unit, and no other', () => {
    assert.equal(read('5%', 'en', ['%']), 5);
    assert.equal(read('5 %', 'en', ['%']), 5);
    assert.equal(read('$500', 'en', ['USD', '$']), 500);
    assert.equal(read('500 usd', 'en', ['USD', '$']), 500);
    assert.equal(read('€500', 'en', ['USD', '$']), 'unreadable');
  });

  it('keeps to the bounds of its field, said in words', () => {
    assert.deepEqual(readNumber('0', { min: 1, locale: 'en' }), {
      ...{ kind: 'unreadable', fault: 'must be at least 1' },
    });
    assert.equal(readNumber('1.5', { isInteger: true, locale: 'en' }).kind, 'unreadable');
    assert.equal(readNumber('1.005', { digits: 2, locale: 'en' }).kind, 'unreadable');
    assert.equal(readNumber('1.500', { digits: 1, locale: 'en' }).kind, 'number');
    assert.equal(readNumber('1234567890.1234567', { locale: 'en' }).kind, 'unreadable');
  });

  it('is nothing if nothing was typed', () => {
    assert.equal(read('  '), 'empty');
  });

  it('reads back what each locale writes', () => {
    const locales = fc.constantFrom('en', 'de', 'fr', 'de-CH', 'en-IN', 'pl', 'sv', 'pt-BR', 'ru');
    const amounts = fc.integer({ min: -99_999_999_999, max: 99_999_999_999 });
    fc.assert(
      fc.property(locales, amounts, fc.constantFrom(0, 2), (locale, units, digits) => {
        const value = units / 10 ** digits;
        const text = value.toLocaleString(locale, { minimumFractionDigits: digits });
        assert.equal(read(text, locale), value, text);
      }),
    );
  });

  it('is never read with other digits', () => {
    const signs = [..."0123456789.,'’ -k%$"];
    const texts = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.constantFrom('en', 'de', 'fr'), (text, locale) => {
        const reading = readNumber(text, { locale });
        if (reading.kind !== 'number') return;
        const digits = text.replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
        const read = String(Math.abs(reading.value)).replace(/e.*$/, '').replace(/\D/g, '');
        assert.equal(read.replace(/^0+/, '').replace(/0+$/, ''), digits, text);
      }),
      { numRuns: 2000 },
    );
  });
});
