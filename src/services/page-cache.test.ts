import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageCache } from './page-cache.ts';

const PAGE = Buffer.alloc(100, 'ab');
const PARTS = [PAGE.subarray(0, 40), PAGE.subarray(40)];

describe('the cache of pages', () => {
  const keep = (pages: PageCache, key: string, version = '1'): void => {
    pages.set(key, version, PARTS);
    pages.set(key, version, PARTS);
  };

  it('keeps a page from its second request on', () => {
    const pages = new PageCache(10_000);
    pages.set('a', '1', PARTS);
    assert.equal(pages.get('a', '1'), undefined);
    pages.set('a', '1', PARTS);
    assert.deepEqual(pages.get('a', '1'), PAGE);
  });

  it('keeps only the last version of a page', () => {
    const pages = new PageCache(10_000);
    keep(pages, 'a');
    const { bytes } = pages;
    pages.set('a', '2', PARTS);
    assert.equal(pages.get('a', '1'), undefined);
    assert.deepEqual(pages.get('a', '2'), PAGE);
    assert.equal(pages.bytes, bytes);
  });

  it('drops the least recently requested pages at the bound', () => {
    const pages = new PageCache(4000);
    for (let number = 0; number < 20; number += 1) {
      keep(pages, `page ${number}`);
      pages.get('page 0', '1');
      assert.ok(pages.bytes <= 4000);
    }
    assert.equal(pages.get('page 1', '1'), undefined);
    assert.deepEqual(pages.get('page 0', '1'), PAGE);
    assert.deepEqual(pages.get('page 19', '1'), PAGE);
  });

  it('keeps no page of more than an eighth of it', () => {
    const pages = new PageCache(799);
    keep(pages, 'a');
    assert.equal(pages.get('a', '1'), undefined);
  });
});
