import { Form } from '../../components/form.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { useEdits } from '../../lib/edits.ts';
import { formatNumber } from '../../lib/format.ts';
import { MAXIMUM, wishFormOf, wishOf } from './quota-wish.ts';
import { QUOTAS } from './quota-words.ts';
import {
  type PendingRequest,
  type RegionQuotas,
  type RequestOutcome,
  useQuotaRequest,
} from './use-quotas.ts';

const MAX_TEXT_LENGTH = 2000;

const WORDS: Record<RequestOutcome, string> = {
  sent: 'Your request is waiting for an operator. The decision comes by e-mail; until then you may change the request here.',
  updated: 'Your pending request has been changed. The decision comes by e-mail.',
  approved: 'Approved at once: the new quotas are in force.',
};

/** A request for other maxima. Unchanged fields are not part of it. */
export function RequestForm(props: {
  quotas: RegionQuotas;
  pending: PendingRequest | undefined;
  close: () => void;
}) {
  const { quotas, pending, close } = props;
  const { form, changed, overtaken, change, drop } = useEdits(wishFormOf(pending));
  const request = useQuotaRequest(quotas.region);
  const wish = wishOf(changed, quotas, pending);
  const justification = (changed.justification ?? '').trim();
  const isEmpty = Object.keys(wish).length === 0 && justification === '';
  const hasSent = request.data !== undefined && request.data !== 'approved';
  return (
    <Form
      className="form quota-request"
      label={`Request for ${quotas.region}`}
      form={form}
      change={change}
      fields={[
        <div key="which">
          <h3>Request other limits for {quotas.region}</h3>
          <p className="hint">Fill in only what should change.</p>
        </div>,
        ...QUOTAS.map(({ name, title }) => ({
          name,
          label: title,
          hint: `Now ${formatNumber(quotas[name].quota)}`,
          rules: MAXIMUM,
          words: (value: number) => formatNumber(value),
        })),
        {
          name: 'justification',
          label: 'Why',
          hint: 'A message for the operator who decides',
          className: 'span',
          lines: 3,
          maxLength: MAX_TEXT_LENGTH,
        },
      ]}
      error={request.error}
      submit={() => request.mutate({ wish, justification }, { onSuccess: drop })}
      action={pending || hasSent ? 'Change the request' : 'Send the request'}
      busy={request.isPending}
      disabled={isEmpty}
      cancel={close}
      cancelWords="Close"
      beside={isEmpty ? <span className="hint">Enter a new maximum first.</span> : null}
    >
      <Overtaken fields={overtaken} say={() => 'The pending request was changed'} />
      {request.data ? (
        <p className="note note-good" role="status">
          {WORDS[request.data]}
        </p>
      ) : null}
    </Form>
  );
}
