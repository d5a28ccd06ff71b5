import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { faultOf } from '../../lib/faults.ts';
import { formatNumber } from '../../lib/format.ts';
import { QUOTAS, type QuotaName } from './quota-words.ts';
import {
  type QuotaWish,
  type RegionQuotas,
  type RequestOutcome,
  useQuotaRequest,
} from './use-quotas.ts';

const PARAMETERS = [...QUOTAS.map(({ name }) => name), 'justification'];
const MAX_TEXT_LENGTH = 2000;

const WORDS: Record<RequestOutcome, string> = {
  sent: 'Your request is waiting for an operator. The decision comes by e-mail; until then you may change the request here.',
  updated: 'Your waiting request is changed. The decision comes by e-mail.',
  approved: 'Approved at once: the new quotas are in force.',
};

/** A request for other maxima. Fields that are left as they are are no part of it. */
export function RequestForm({ quotas, close }: { quotas: RegionQuotas; close: () => void }) {
  const [values, setValues] = useState<Partial<Record<QuotaName, string>>>({});
  const [justification, setJustification] = useState('');
  const request = useQuotaRequest(quotas.region);
  const wish: QuotaWish = {};
  for (const { name } of QUOTAS) {
    const text = values[name]?.trim();
    if (text !== undefined && text !== '' && Number(text) !== quotas[name].quota)
      wish[name] = Number(text);
  }
  const isEmpty = Object.keys(wish).length === 0 && justification.trim() === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    request.mutate({ wish, justification: justification.trim() });
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
          <Field
            key={name}
            label={title}
            hint={`Now ${formatNumber(quotas[name].quota)}`}
            error={faultOf(request.error, name, title)}
          >
            {(control) => (
              <input
                {...control}
                type="number"
                min={0}
                step={1}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Field
          label="Why"
          hint="A few words for the operator who decides"
          className="span"
          error={faultOf(request.error, 'justification', 'Why')}
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={MAX_TEXT_LENGTH}
              value={justification}
              onChange={(event) => setJustification(event.target.value)}
            />
          )}
        </Field>
      </div>
      <FormError error={request.error} parameters={PARAMETERS} />
      {request.data ? (
        <p className="note note-good" role="status">
          {WORDS[request.data]}
        </p>
      ) : null}
      <div className="form-buttons">
        <Button kind="primary" type="submit" busy={request.isPending} disabled={isEmpty}>
          {request.data && request.data !== 'approved' ? 'Change the request' : 'Send the request'}
        </Button>
        <Button kind="quiet" onClick={close}>
          Close
        </Button>
        {isEmpty ? <span className="hint">Enter a new maximum first.</span> : null}
      </div>
    </form>
  );
}
