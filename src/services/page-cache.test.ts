import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageCache } from './page-cache.ts';

const PAGE = Buffer.alloc(100, 'ab');
const PARTS = [PAGE.subarray(0, 40), PAGE.subarray(40)];

describe('the cache of pages', () => {
  it('keeps a page from the second time on that it was asked for', () => {
    const pages = new PageCache(1000);
    pages.set('a', PARTS);
    assert.equal(pages.get('a'), undefined);
    pages.set('a', PARTS);
    assert.deepEqual(pages.get('a'), PAGE);
  });

  it('lets the page go that was asked for longest ago when the bound is reached', () => {
    const pages = new PageCache(1000);
    const keep = (key: string) => {
      pages.set(key, PARTS);
      pages.set(key, PARTS);
    };
    for (let number = 0; number < 10; number += 1) keep(`page ${number}`);
    pages.get('page 0');
    keep('one more');
    assert.equal(pages.get('page 1'), undefined);
    assert.deepEqual(pages.get('page 0'), PAGE);
    assert.deepEqual(pages.get('one more'), PAGE);
  });

  it('keeps no page that would take more than an eighth of it', () => {
    const pages = new PageCache(799);
    pages.set('a', PARTS);
    pages.set('a', PARTS);
    assert.equal(pages.get('a'), undefined);
  });
});
