import type { Asked, Filter, Order, Sort } from '../../accounts/use-overview.ts';

/** The defaults of the query in the address. */
export const USUAL: Asked = {
  search: '',
  label: '',
  filter: 'all',
  sort: 'usedLimit',
  order: 'descending',
};

/** Which accounts, for the address of another page; the group goes along by itself. */
export const whichOf = ({ search, filter }: Pick<Asked, 'search' | 'filter'>) => ({
  search: search || undefined,
  filter: filter === USUAL.filter ? undefined : filter,
});

/** The query in the address. */
export const askedOf = (query: URLSearchParams): Asked => ({
  search: query.get('search') ?? USUAL.search,
  label: query.get('label') ?? USUAL.label,
  filter: (query.get('filter') ?? USUAL.filter) as Filter,
  sort: (query.get('sort') ?? USUAL.sort) as Sort,
  order: (query.get('order') ?? USUAL.order) as Order,
});
