import { path } from '../lib/path.ts';

/** The server's names for limits of enrolments, which are not among the account's trackers. */
const OF_RULE = /^(.+)\.rule-\d+$/;

/** The enrolment whose rule a tracker measures; undefined for a user's tracker. */
export const enrolmentOf = (trackerId: string): string | undefined => OF_RULE.exec(trackerId)?.[1];

/** A tracker's name, with a link to it, or to the enrolment whose rule it is. */
export function TrackerLink(props: {
  accountId: string;
  trackerId: string;
  name: string | undefined;
}) {
  const { accountId, trackerId, name } = props;
  const enrolment = enrolmentOf(trackerId);
  if (enrolment !== undefined) {
    return (
      <a href={path.account(accountId, { tab: 'enrolments', enrolment })}>
        {name ?? 'a rule of an enrolment'}
      </a>
    );
  }
  return (
    <a href={path.account(accountId, { tab: 'trackers', tracker: trackerId })}>
      {name ?? 'a deleted tracker'}
    </a>
  );
}
