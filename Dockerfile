# Serves the reader's page of an index:
#
#     docker build -t relsent-ir .
#     docker run --rm -p 127.0.0.1:8000:8000 -v "$PWD/indexes/cf:/index:ro" relsent-ir
#
# Any other verb: docker run --rm -v "$PWD:/data" -w /data relsent-ir search --index indexes/cf ...
FROM python:3.11-slim

WORKDIR /opt/relsent-ir
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY relsent_ir relsent_ir
# Of Pyserini the jar alone is needed (see pyproject.toml).
RUN pip install --no-cache-dir -c constraints.txt '.[web]' \
    && pip install --no-cache-dir -c constraints.txt --no-deps pyserini

RUN useradd --create-home reader
USER reader
EXPOSE 8000
ENTRYPOINT ["relsent-ir"]
# The folder of the index may be read-only: what is derived from it is kept in the container.
CMD ["serve", "--index", "/index", "--host", "0.0.0.0", "--cache", "/home/reader/derived"]
