import { useState } from 'react';
import { Bar } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { formatLocalTime, formatNumber } from '../../lib/format.ts';
import { useMay } from '../../shell/use-may.ts';
import { QUOTAS } from './quota-words.ts';
import { RequestForm } from './request-form.tsx';
import { type PendingRequest, type RegionQuotas, usePendingRequests } from './use-quotas.ts';

export function RegionCard({ quotas }: { quotas: RegionQuotas }) {
  const [isAsking, setAsking] = useState(false);
  const pending = usePendingRequests().data?.get(quotas.region);
  const may = useMay();
  return (
    <Card
      title={`Region ${quotas.region}`}
      actions={
        isAsking || !may.write ? null : (
          <Button
            onClick={() => setAsking(true)}
            aria-label={`${pending ? 'Change the request' : 'Request more'} in ${quotas.region}`}
          >
            {pending ? 'Change the request' : 'Request more'}
          </Button>
        )
      }
    >
      <div className="stack">
        <ul className="quotas">
          {QUOTAS.map(({ name, title, hint }) => (
            <QuotaRow key={name} title={title} hint={hint} {...quotas[name]} />
          ))}
        </ul>
        {pending && !isAsking ? <Pending request={pending} /> : null}
        {isAsking ? (
          <RequestForm quotas={quotas} pending={pending} close={() => setAsking(false)} />
        ) : null}
      </div>
    </Card>
  );
}

/** Waiting for an operator: stored on the server, so it is still here after a reload. */
function Pending({ request }: { request: PendingRequest }) {
  const wishes = QUOTAS.flatMap(({ name, title }) => {
    const wish = request.requested[name];
    return wish === undefined ? [] : [`${title} ${formatNumber(wish)}`];
  });
  return (
    <div className="note note-warn">
      <div>
        <strong>A request is waiting for an operator</strong>
        {wishes.length > 0 ? `: ${wishes.join(', ')}.` : '.'} Sent{' '}
        {formatLocalTime(request.createdAt)} your time
        {request.updatedAt === request.createdAt
          ? ''
          : `, changed ${formatLocalTime(request.updatedAt)}`}
        . The decision comes by e-mail.
        {request.justification ? <p className="hint">“{request.justification}”</p> : null}
      </div>
    </div>
  );
}

function QuotaRow(props: {
  title: string;
  hint: string | undefined;
  quota: number;
  usageInPercents: number;
}) {
  const { title, quota, usageInPercents } = props;
  const used = Math.round((quota * usageInPercents) / 100);
  const isFull = usageInPercents >= 100;
  return (
    <li className="quota">
      <div className="quota-name">
        <span>{title}</span>
        {props.hint ? <span className="hint">{props.hint}</span> : null}
      </div>
      <div className="quota-usage">
        <Bar used={usageInPercents / 100} label={`${title}: used part of the quota`} text={null} />
        <span className="quota-numbers number">
          <strong>{formatNumber(used)}</strong>
          <span className="muted"> of {formatNumber(quota)}</span>
          <span className={isFull ? 'bad' : 'muted'}>
            {' · '}
            {quota === 0
              ? 'none allowed'
              : `${isFull ? 'full, ' : ''}${formatNumber(usageInPercents, 1)} %`}
          </span>
        </span>
      </div>
    </li>
  );
}
