/** Runs tasks one after the other, in order of submission. A failing task does not stop the next. */
export interface TaskQueue {
  run<T>(task: () => T | Promise<T>): Promise<T>;
}

export function createTaskQueue(): TaskQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (task) => {
      const result = last.then(task);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
