/** The summary that replaces what is compacted away. */
import { generateText, type LanguageModel } from "ai";
import { isOverflow } from "./chat-model.ts";

const instructions = [
  "You summarise the older part of a conversation between a user and an assistant, for the assistant to go on with.",
  "Keep what was asked, settled and left open, with exact names, numbers and dates, in at most 300 words.",
  "Write only the summary.",
].join(" ");

export interface SummaryRequest {
  readonly model: LanguageModel;
  /** The summary of the previous compaction. */
  readonly earlier: string;
  readonly transcript: string;
  /** A longer transcript is summarised in parts: what overflowed does not fit into one request either. */
  readonly maxPartChars: number;
  readonly signal?: AbortSignal | undefined;
}

export async function writeSummary(request: SummaryRequest): Promise<string> {
  const { model, transcript, maxPartChars, signal } = request;
  try {
    let summary = request.earlier;
    for (let start = 0; start < transcript.length; start += maxPartChars) {
      const part = transcript.slice(start, start + maxPartChars);
      const before = summary === "" ? "" : `Summary of what was said before:\n${summary}\n\n`;
      const prompt = `${before}What was said next:\n${part}`;
      const { text } = await generateText({
        model,
        instructions,
        prompt,
        ...(signal && { abortSignal: signal }),
      });
      summary = text.trim() || summary;
    }
    return summary || "The older part of this conversation was not summarised; memory may know more.";
  } catch (error) {
    if (!isOverflow(error) || maxPartChars < 1000) throw error;
    return await writeSummary({ ...request, maxPartChars: Math.floor(maxPartChars / 2) });
  }
}
