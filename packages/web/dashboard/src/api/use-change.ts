import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

type Change<Input, Result> = {
  readonly change: (input: Input) => Promise<Result>;
  /** What is read again after it, also after a failure: its answer may have been lost. */
  readonly reads: readonly QueryKey[];
  readonly onDone?: (result: Result, input: Input) => void;
};

/** A change by the API. Its button is disabled while it runs. */
export const useChange = <Input = void, Result = unknown>({ change, reads, onDone }: Change<Input, Result>) => {
  const client = useQueryClient();
  return useMutation<Result, Error, Input>({
    mutationFn: change,
    onSuccess: (result, input) => onDone?.(result, input),
    onSettled: () => {
      for (const queryKey of reads) void client.invalidateQueries({ queryKey });
    },
  });
};
