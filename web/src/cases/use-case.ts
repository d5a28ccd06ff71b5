import { useQuery } from '@tanstack/react-query';
import { readCase } from './read-case.ts';

/** The signed file of an event. */
export const useCase = (sequenceNumber: string) =>
  useQuery({
    queryKey: ['case', sequenceNumber],
    queryFn: ({ signal }) => readCase(sequenceNumber, signal),
  });
