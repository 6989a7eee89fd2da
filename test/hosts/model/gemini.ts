import { event, type Fields, type Message, type ModelApi, textOf } from "./conversation.ts";

/** Google's generateContent API, which Gemini CLI uses. */
export const geminiContents: ModelApi = {
  isFor: (path) => /:(?:streamG|g)enerateContent$/.test(path),

  read(body) {
    return {
      messages: [
        { role: "system", text: textOf(body["systemInstruction"]?.parts), calls: [] },
        ...(body["contents"] as Fields[]).flatMap(readContent),
      ],
      tools: (body["tools"] ?? []).flatMap(({ functionDeclarations = [] }: Fields) =>
        functionDeclarations.map(({ name, description = "" }: Fields) => ({ name, description })),
      ),
    };
  },

  write({ text, call, tokens }, { body, path }) {
    // Gemini CLI also asks a model who speaks next, and expects JSON.
    const wantsJson = body["generationConfig"]?.responseMimeType === "application/json";
    const said = wantsJson
      ? JSON.stringify({ reasoning: "", next_speaker: "user", model_choice: "pro" })
      : text;
    const part =
      call && !wantsJson ? { functionCall: { name: call.tool.name, args: call.input } } : { text: said };
    const answer = {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 20, totalTokenCount: tokens + 20 },
      modelVersion: "scripted",
    };
    return path.endsWith(":streamGenerateContent") ? { events: [event(null, answer)] } : { json: answer };
  },
};

function readContent({ role, parts = [] }: Fields): Message[] {
  const results = (parts as Fields[]).filter(({ functionResponse }) => functionResponse);
  const texts = (parts as Fields[]).filter(({ text }) => text !== undefined);
  const calls = (parts as Fields[]).flatMap(({ functionCall }) => (functionCall ? [functionCall.name] : []));
  return [
    ...results.map(({ functionResponse: { response } }): Message => {
      const text = typeof response?.output === "string" ? response.output : JSON.stringify(response);
      return { role: "tool", text, calls: [] };
    }),
    ...(texts.length === 0 && calls.length === 0
      ? []
      : [
          { role: role === "model" ? ("assistant" as const) : ("user" as const), text: textOf(texts), calls },
        ]),
  ];
}
