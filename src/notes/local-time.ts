import { LonghandError } from "../errors.ts";

interface LocalTime {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `HH:MM` */
  readonly time: string;
}

/** The user's local day and time at a given instant; null means the time zone of the system. */
export function localTime(moment: Date, timezone: string | null): LocalTime {
  return createClock(timezone)(moment);
}

/** The same for many instants: looking up the rules of a time zone takes much longer than applying them. */
export function createClock(timezone: string | null): (moment: Date) => LocalTime {
  if (timezone === null) return systemTime;
  const format = createFormat(timezone);
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const day = `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
    return { day, time: `${parts.get("hour")}:${parts.get("minute")}` };
  };
}

/** Loading Intl takes twenty milliseconds, and Date knows the system's zone without it. */
function systemTime(moment: Date): LocalTime {
  const two = (number: number) => String(number).padStart(2, "0");
  const year = String(moment.getFullYear()).padStart(4, "0");
  return {
    day: `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    time: `${two(moment.getHours())}:${two(moment.getMinutes())}`,
  };
}

function createFormat(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
      timeZone: timezone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  } catch (error) {
    throw new LonghandError("config-invalid", `There is no time zone called ${JSON.stringify(timezone)}.`, {
      hint: "Set userTimezone to a name such as Europe/Berlin or UTC.",
      cause: error,
    });
  }
}
