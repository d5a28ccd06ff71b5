import { useState } from 'react';
import { Bar } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { formatNumber, formatPercent } from '../../lib/format.ts';
import { QUOTAS } from './quota-words.ts';
import { RequestForm } from './request-form.tsx';
import type { RegionQuotas } from './use-quotas.ts';

export function RegionCard({ quotas }: { quotas: RegionQuotas }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card
      title={`Region ${quotas.region}`}
      actions={
        isAsking ? null : (
          <Button onClick={() => setAsking(true)} aria-label={`Request more in ${quotas.region}`}>
            Request more
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
        {isAsking ? <RequestForm quotas={quotas} close={() => setAsking(false)} /> : null}
      </div>
    </Card>
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
              : `${isFull ? 'full, ' : ''}${formatPercent(usageInPercents, 1)}`}
          </span>
        </span>
      </div>
    </li>
  );
}
