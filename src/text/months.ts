import { once } from "./once.ts";

/** Folded; a test checks that. */
const names = `january february march april may june july august september october november december
  januar februar marz april mai juni juli august september oktober november dezember
  janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
  janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
  januari februari maart april mei juni juli augustus september oktober november december
  января февраля марта апреля мая июня июля августа сентября октября ноября декабря`;

const numbers = once(() => {
  const byName = new Map<string, string>();
  for (const line of names.split("\n")) {
    for (const [index, name] of line.trim().split(" ").entries()) {
      byName.set(name, String(index + 1).padStart(2, "0"));
    }
  }
  return byName;
});

/** `05` for the folded name of a month (May, Mai, mayo, …), undefined for any other word. */
export function monthNumber(folded: string): string | undefined {
  return numbers().get(folded);
}

/** English, then where they differ German, French and Spanish. A day must be beside them: some are words, too. */
const short: Readonly<Record<string, string>> = {
  ...{ jan: "01", feb: "02", mar: "03", apr: "04", jun: "06", jul: "07" },
  ...{ aug: "08", sep: "09", sept: "09", oct: "10", nov: "11", dec: "12" },
  ...{ mrz: "03", okt: "10", dez: "12" },
  ...{ janv: "01", fevr: "02", avr: "04", juil: "07" },
  ...{ ene: "01", abr: "04", ago: "08", dic: "12" },
};

/** `03` for the folded abbreviation of a month. */
export function shortMonthNumber(folded: string): string | undefined {
  return Object.hasOwn(short, folded) ? short[folded] : undefined;
}
