# The notebooks in JupyterLab: docker build -t gameai . && docker run -p 8888:8888 gameai
FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home reader
USER reader
WORKDIR /home/reader/book
COPY --chown=reader . .
RUN make install
ENV JUPYTER_CONFIG_PATH=/home/reader/book/book/tools/lab
CMD [".venv/bin/jupyter", "lab", "--no-browser", "--ip=0.0.0.0", "book/index.ipynb"]
