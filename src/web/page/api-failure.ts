interface FailureDetails {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** A refused request in the server's words: what could not be done, and what to do next. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  /** The full error from the server; a conflict includes the current text of the note. */
  readonly answer: unknown;

  constructor(status: number, { code, message, hint }: FailureDetails, answer: unknown) {
    super(message);
    this.name = "ApiFailure";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.answer = answer;
  }

  static of(status: number, answer: unknown): ApiFailure {
    const error = (answer as { error?: Partial<FailureDetails> } | null)?.error;
    const { code = "unknown", message = `The server answered ${status}.`, hint = "" } = error ?? {};
    return new ApiFailure(status, { code, message, hint }, answer);
  }

  static unreachable(cause: unknown): ApiFailure {
    const failure = new ApiFailure(
      0,
      {
        code: "unreachable",
        message: "The server does not answer.",
        hint: "Is `longhand serve` still running? Start it again and use the link it prints.",
      },
      null,
    );
    failure.cause = cause;
    return failure;
  }
}

/** Converts any error into one that can be displayed. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiFailure(0, { code: "page", message, hint: "Reload the page." }, null);
}
