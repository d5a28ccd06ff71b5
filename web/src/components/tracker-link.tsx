import { path } from '../lib/path.ts';

/** As the server calls the limits of enrolments, which have no place among the account's trackers. */
const OF_RULE = /\.rule-\d+$/;

/** A tracker's name, which leads to it; the name alone where it is a rule of an enrolment. */
export function TrackerLink(props: {
  accountId: string;
  trackerId: string;
  name: string | undefined;
}) {
  const { accountId, trackerId, name } = props;
  if (OF_RULE.test(trackerId)) return <span>{name ?? 'a deleted rule'}</span>;
  return (
    <a href={path.account(accountId, { tab: 'trackers', tracker: trackerId })}>
      {name ?? 'a deleted tracker'}
    </a>
  );
}
