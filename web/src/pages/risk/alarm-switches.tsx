import { useState } from 'react';
import { Check } from '../../components/check.tsx';
import {
  mayNotify,
  playTone,
  saveAlarm,
  unlockSound,
  useAlarmSettings,
  useIsSoundBlocked,
} from '../../desk/alarm.ts';

/** Sound and notifications of this browser, for all pages. */
export function AlarmSwitches() {
  const alarm = useAlarmSettings();
  const isBlocked = useIsSoundBlocked();
  const [isRefused, setRefused] = useState(false);
  const switchNotification = async (wanted: boolean): Promise<void> => {
    const allowed = wanted && (await mayNotify());
    setRefused(wanted && !allowed);
    saveAlarm({ ...alarm, notification: allowed });
  };
  return (
    <fieldset className="row">
      <legend className="visually-hidden">Alarms, on every page</legend>
      <Check
        isOn={alarm.sound}
        set={(sound) => {
          if (sound) {
            unlockSound();
            playTone('loss');
          }
          saveAlarm({ ...alarm, sound });
        }}
      >
        Sound
      </Check>
      <Check isOn={alarm.notification} set={(wanted) => void switchNotification(wanted)}>
        Desktop notifications
      </Check>
      {isBlocked ? (
        <button type="button" className="link-button" onClick={unlockSound}>
          The browser blocks sound: press here
        </button>
      ) : null}
      {isRefused ? (
        <span className="hint" role="status">
          This browser does not allow notifications from here.
        </span>
      ) : null}
    </fieldset>
  );
}
