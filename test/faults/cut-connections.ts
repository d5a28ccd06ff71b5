import pg from 'pg';

const RECOVERY_MS = 60_000;
/** The connections of other users of the database. */
export const OTHERS = 'datname = current_database() and pid <> pg_backend_pid()';

export async function cutConnections(url: string): Promise<void> {
  await asAdmin(url, async (admin) => {
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS}`);
  });
}

/** Once it accepts connections: it may still be in recovery from the last strike. */
export async function asAdmin(
  url: string,
  work: (admin: pg.Client) => Promise<void>,
): Promise<void> {
  const endMs = Date.now() + RECOVERY_MS;
  for (;;) {
    const admin = new pg.Client({ connectionString: url });
    admin.on('error', () => {});
    try {
      await admin.connect();
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    await work(admin);
    await admin.end().catch(() => {});
    return;
  }
}
