import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form } from '../../components/form.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useTyped } from '../../lib/edits.ts';
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
  const typed = useTyped({ email: '', name: '' });
  const create = useCreateUser();
  const submit = (): void => {
    const [email, name] = [typed.form.email.trim(), typed.form.name.trim()];
    create.mutate(
      { body: name ? { email, name } : { email } },
      {
        onSuccess: ({ id }) => navigate(addressOfUser(id)),
      },
    );
  };
  return (
    <Card title="New user">
      <Form
        {...typed}
        fields={[
          { name: 'email', label: 'E-mail', required: true, type: 'email' },
          { name: 'name', label: 'Name', hint: 'Of the person or firm' },
        ]}
        error={create.error}
        submit={submit}
        action="Create user"
        busy={create.isPending}
        cancel={close}
      />
    </Card>
  );
}
