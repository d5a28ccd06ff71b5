import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';
import { type User, useCreateUser, useUsers } from './use-users.ts';

const addressOfUser = (id: string): string => path.operator({ tab: 'users', user: id });

const COLUMNS: Column<User>[] = [
  { title: 'E-mail', cell: ({ id, email }) => <a href={addressOfUser(id)}>{email}</a> },
  { title: 'Name', cell: ({ name }) => name || '–' },
  {
    title: 'Since (your time)',
    wide: true,
    cell: ({ createdAt }) => <span className="number nowrap">{formatLocalTime(createdAt)}</span>,
  },
  { title: 'Id', wide: true, cell: ({ id }) => <code className="nowrap">{id}</code> },
];

export function UsersPanel() {
  const [isAdding, setAdding] = useState(false);
  const pages = useUsers();
  return (
    <>
      {isAdding ? <NewUserCard close={() => setAdding(false)} /> : null}
      <Card
        title="Users"
        hint="Each sees only their own accounts, through tokens that you create here."
        flush
        actions={isAdding ? null : <Button onClick={() => setAdding(true)}>New user</Button>}
      >
        <PagedList
          pages={pages}
          what="users"
          empty={<Empty title="No user yet">Add one, then make a token for it.</Empty>}
        >
          {(rows) => (
            <Table caption="Users" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
          )}
        </PagedList>
      </Card>
    </>
  );
}

function NewUserCard({ close }: { close: () => void }) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const create = useCreateUser();
  const submit = (): void => {
    const body = { email: email.trim(), ...(name.trim() ? { name: name.trim() } : {}) };
    create.mutate(body, { onSuccess: ({ id }) => navigate(addressOfUser(id)) });
  };
  return (
    <Card title="New user">
      <Form error={create.error} submit={submit}>
        <div className="fields">
          <TextField
            label="E-mail"
            parameter="email"
            required
            type="email"
            text={email}
            change={setEmail}
          />
          <TextField
            label="Name"
            parameter="name"
            hint="Of the person or firm"
            text={name}
            change={setName}
          />
        </div>
        <FormEnd action="Create user" busy={create.isPending} cancel={close} />
      </Form>
    </Card>
  );
}
