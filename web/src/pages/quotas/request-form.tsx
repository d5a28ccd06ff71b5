import type { FormEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Overtaken } from '../../components/overtaken.tsx';
import { useEdits } from '../../lib/edits.ts';
import { faultOf } from '../../lib/faults.ts';
import { formatNumber } from '../../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import { QUOTAS, type QuotaName } from './quota-words.ts';
import {
  type PendingRequest,
  type QuotaWish,
  type RegionQuotas,
  type RequestOutcome,
  useQuotaRequest,
} from './use-quotas.ts';

const PARAMETERS = [...QUOTAS.map(({ name }) => name), 'justification'];
const MAX_TEXT_LENGTH = 2000;
const RULES: NumberRules = { isInteger: true, min: 0, max: 1_000_000 };

const WORDS: Record<RequestOutcome, string> = {
  sent: 'Your request is waiting for an operator. The decision comes by e-mail; until then you may change the request here.',
  updated: 'Your pending request has been changed. The decision comes by e-mail.',
  approved: 'Approved at once: the new quotas are in force.',
};

/** A request for other maxima. Fields that are left as they are are no part of it. */
export function RequestForm(props: {
  quotas: RegionQuotas;
  pending: PendingRequest | undefined;
  close: () => void;
}) {
  const { quotas, pending, close } = props;
  const { form, changed, overtaken, change, drop } = useEdits(textsOf(pending));
  const request = useQuotaRequest(quotas.region);
  const wish: QuotaWish = {};
  let isReadable = true;
  for (const { name } of QUOTAS) {
    const reading = readNumber(form[name], RULES);
    isReadable &&= reading.kind !== 'unreadable';
    const value = numberOf(reading);
    if (value === undefined || changed[name] === undefined) continue;
    // As much as there is already is no wish, unless it takes back one that waits.
    const { [name]: waiting = quotas[name].quota } = pending?.requested ?? {};
    if (value !== waiting) wish[name] = value;
  }
  const justification = (changed.justification ?? '').trim();
  const isEmpty = Object.keys(wish).length === 0 && justification === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReadable && !isEmpty) request.mutate({ wish, justification }, { onSuccess: drop });
  };
  return (
    <form
      className="form quota-request"
      onSubmit={submit}
      noValidate
      aria-label={`Request for ${quotas.region}`}
    >
      <div>
        <h3>Ask for other maxima in {quotas.region}</h3>
        <p className="hint">Fill in only what should change.</p>
      </div>
      <div className="fields">
        {QUOTAS.map(({ name, title }) => (
          <NumberField
            key={name}
            label={title}
            hint={`Now ${formatNumber(quotas[name].quota)}`}
            text={form[name]}
            change={(text) => change({ [name]: text })}
            rules={RULES}
            words={(value) => formatNumber(value)}
            error={faultOf(request.error, name, title)}
          />
        ))}
        <Field
          label="Why"
          hint="A message for the operator who decides"
          className="span"
          error={faultOf(request.error, 'justification', 'Why')}
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={MAX_TEXT_LENGTH}
              value={form.justification}
              onChange={({ target }) => change({ justification: target.value })}
            />
          )}
        </Field>
      </div>
      <FormError error={request.error} parameters={PARAMETERS} />
      <Overtaken fields={overtaken} say={() => 'The pending request was changed'} />
      {request.data ? (
        <p className="note note-good" role="status">
          {WORDS[request.data]}
        </p>
      ) : null}
      <div className="form-buttons">
        <Button kind="primary" type="submit" busy={request.isPending} disabled={isEmpty}>
          {pending || (request.data && request.data !== 'approved')
            ? 'Change the request'
            : 'Send the request'}
        </Button>
        <Button kind="quiet" onClick={close}>
          Close
        </Button>
        {isEmpty ? <span className="hint">Enter a new maximum first.</span> : null}
      </div>
    </form>
  );
}

/** A waiting request is changed, not written anew. */
const textsOf = (
  pending: PendingRequest | undefined,
): Record<QuotaName | 'justification', string> => {
  const wishes = QUOTAS.map(({ name }) => {
    const wish = pending?.requested[name];
    return [name, wish === undefined ? '' : formatNumber(wish)];
  });
  const texts = Object.fromEntries(wishes) as Record<QuotaName, string>;
  return { ...texts, justification: pending?.justification ?? '' };
};
