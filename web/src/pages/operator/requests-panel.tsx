import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { RequestItem } from './request-item.tsx';
import { useQuotaRequests } from './use-requests.ts';

const STATES = [
  { value: 'pending', title: 'Waiting' },
  { value: 'approved', title: 'Approved' },
  { value: 'declined', title: 'Declined' },
  { value: 'all', title: 'All' },
] as const;

export function RequestsPanel() {
  const word = useLocation().query.get('state');
  const state = STATES.find(({ value }) => value === word)?.value ?? 'pending';
  const pages = useQuotaRequests(state);
  return (
    <Card
      title="Quota requests"
      hint="The user is notified of the decision by e-mail. It cannot be undone."
      flush
      actions={
        <Segmented
          legend="State of the requests"
          options={STATES}
          value={state}
          choose={(value) => replaceQuery({ state: value })}
        />
      }
    >
      <PagedList
        pages={pages}
        what="quota requests"
        empty={
          <Empty title={state === 'pending' ? 'Nothing to decide' : 'No such request'}>
            Users ask for more on their Quotas page, and their requests come here.
          </Empty>
        }
      >
        {(rows) => (
          <ul className="operator-list">
            {rows.map((request) => (
              <RequestItem key={request.id} request={request} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}
