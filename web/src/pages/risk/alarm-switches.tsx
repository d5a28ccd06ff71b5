import { useState } from 'react';
import { type Alarm, mayNotify, playTone } from './alarm.ts';

export function AlarmSwitches(props: { alarm: Alarm; change: (alarm: Alarm) => void }) {
  const { alarm, change } = props;
  const [isRefused, setRefused] = useState(false);
  const switchNotification = async (wanted: boolean): Promise<void> => {
    const allowed = wanted && (await mayNotify());
    setRefused(wanted && !allowed);
    change({ ...alarm, notification: allowed });
  };
  return (
    <div className="row">
      <label className="check">
        <input
          type="checkbox"
          checked={alarm.sound}
          onChange={(event) => {
            if (event.target.checked) playTone(true);
            change({ ...alarm, sound: event.target.checked });
          }}
        />
        Sound
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={alarm.notification}
          onChange={(event) => void switchNotification(event.target.checked)}
        />
        Desktop notifications
      </label>
      {isRefused ? (
        <span className="hint" role="status">
          This browser does not allow notifications from here.
        </span>
      ) : null}
    </div>
  );
}
