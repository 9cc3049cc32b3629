"""Sends a script of turns through LangGraph's agents with a fake model, and writes each request as the list of its segments.

Usage: langgraph_turns.py SCRIPT FOLDER
"""

import json
import sys
import uuid

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, trim_messages
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langmem.short_term import SummarizationNode

ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}


class Session:
    """The turns of the script, and the requests that were sent."""

    def __init__(self, script):
        self.script = script
        self.turn = 0
        self.step = 0
        self.requests = []

    def answer(self):
        """Returns the next answer of the script."""
        turn = self.script["turns"][self.turn]
        self.step += 1
        if self.step > len(turn["rounds"]):
            return AIMessage(turn["answer"])
        round = turn["rounds"][self.step - 1]
        calls = [{"name": self.script["tool"]["name"], "args": call["arguments"], "id": str(uuid.uuid4())} for call in round["calls"]]
        return AIMessage(round["text"], tool_calls=calls)


class Model(BaseChatModel):
    """Answers as the script says and keeps what it was sent. Without tools it is asked for summaries."""

    session: object
    is_summariser: bool = False

    @property
    def _llm_type(self):
        return "script"

    def bind_tools(self, tools, **_):
        return self.bind(tools=tools)

    def _generate(self, messages, stop=None, run_manager=None, tools=None, **_):
        tool = self.session.script["tool"]
        segments = [json.dumps(tool, sort_keys=True, ensure_ascii=False)] if tools else []
        self.session.requests.append(segments + [segment(message) for message in messages])
        answer = AIMessage(self.session.script["summary"]) if self.is_summariser else self.session.answer()
        return ChatResult(generations=[ChatGeneration(message=answer)])


def segment(message):
    """Returns what a model reads of a message."""
    calls = [f"{call['name']} {written(call['args'])}" for call in getattr(message, "tool_calls", [])]
    return "\n".join([ROLES[message.type], message.text, *calls])


def written(arguments):
    return json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class State(AgentState):
    """The state of an agent with langmem's running summary."""

    context: dict


def run(script, agent_of):
    """Sends all turns of the script to an agent. Returns its requests."""
    session = Session(script)
    results = {written(call["arguments"]): call["result"] for turn in script["turns"] for round in turn["rounds"] for call in round["calls"]}
    tool = script["tool"]
    read = StructuredTool.from_function(
        lambda **arguments: results[written(arguments)],
        name=tool["name"],
        description=tool["description"],
        args_schema=tool["parameters"],
    )
    agent = agent_of(Model(session=session), Model(session=session, is_summariser=True), [read])
    config = {"configurable": {"thread_id": "1"}, "recursion_limit": 100}
    for session.turn, turn in enumerate(script["turns"]):
        session.step = 0
        agent.invoke({"messages": [("user", turn["user"])]}, config)
    return session.requests


def main():
    script_file, folder = sys.argv[1:]
    with open(script_file, encoding="utf-8") as file:
        script = json.load(file)
    instructions, limit = script["instructions"], script["limit"]

    def middleware(tokens):
        def agent(model, summariser, tools):
            summarise = SummarizationMiddleware(model=summariser, trigger=("tokens", tokens))
            return create_agent(model, tools, system_prompt=instructions, middleware=[summarise], checkpointer=InMemorySaver())

        return agent

    def langmem(model, summariser, tools):
        node = SummarizationNode(model=summariser, max_tokens=limit, output_messages_key="llm_input_messages")
        return create_react_agent(
            model, tools, prompt=instructions, pre_model_hook=node, state_schema=State, checkpointer=InMemorySaver()
        )

    def trimmed(model, _, tools):
        def hook(state):
            kept = trim_messages(
                state["messages"],
                strategy="last",
                token_counter=count_tokens_approximately,
                max_tokens=limit,
                start_on="human",
                end_on=("human", "tool"),
            )
            return {"llm_input_messages": kept}

        return create_react_agent(model, tools, prompt=instructions, pre_model_hook=hook, checkpointer=InMemorySaver())

    agents = {
        "trim_messages": trimmed,
        "langmem SummarizationNode": langmem,
        "SummarizationMiddleware": middleware(limit),
        "SummarizationMiddleware, trigger of its documentation": middleware(4_000),
    }
    for name, agent_of in agents.items():
        with open(f"{folder}/{name}.jsonl", "w", encoding="utf-8") as file:
            for request in run(script, agent_of):
                file.write(json.dumps(request, ensure_ascii=False) + "\n")


main()
