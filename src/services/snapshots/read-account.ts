/** What reading rows notes of an account, so that it need not be looked up by its id for each row. */
export type ReadAccount<Account> = {
  readonly id: string;
  /** Its place in the batch that it was read in last; batches have numbers, the first is 1. */
  batch: number;
  batchPlace: number;
  /** The account that followed in a batch: most batches have the same order each time. */
  next: Account | undefined;
};

/** Where accounts are found by their ids. */
export type ReadAccounts<Account> = { find(id: string): Account | undefined };

export const newlyRead = <Account>(id: string): ReadAccount<Account> => ({
  id,
  batch: 0,
  batchPlace: 0,
  next: undefined,
});
