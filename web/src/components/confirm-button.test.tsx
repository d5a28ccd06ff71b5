import { ConfirmButton } from './confirm-button.tsx';

// Compiled with the dashboard, and never run: a question is about what its work gets.

const words = { question: 'Delete it?', consequence: 'It is gone.', confirm: 'Delete' };
const work = { isPending: false, error: null, mutateAsync: async (id: number) => id };

export const whole = (
  <ConfirmButton {...words} subject={1} work={work}>
    Delete
  </ConfirmButton>
);

export const withoutSubject = (
  // @ts-expect-error: nothing is said of what is deleted
  <ConfirmButton {...words} work={work}>
    Delete
  </ConfirmButton>
);

export const ofAnother = (
  // @ts-expect-error: the question is about something else
  <ConfirmButton {...words} subject="all" work={work}>
    Delete
  </ConfirmButton>
);
