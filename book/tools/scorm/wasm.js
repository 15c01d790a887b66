// Before the worker of a packaged page: WebAssembly also where a server names its kind wrongly.

{
  const stream = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const answer = await source;
    const isKnown = answer.headers.get("Content-Type") === "application/wasm";
    return isKnown ? stream(answer, imports)
      : WebAssembly.instantiate(await answer.arrayBuffer(), imports);
  };
}
